import type { ProblemKind } from './errors.ts';
import type { JsonSchema } from './openapi-schema.ts';
import type { Operation } from './operation.ts';

/** Request headers that an operation supports, as OpenAPI parameters. */
export function headerParameters(operation: Operation): JsonSchema[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  });
  return [
    ...(operation.idempotent
      ? [
          header(
            'Idempotency-Key',
            'Within 24 hours, the same key and request get the first answer; another request is refused with 409.',
          ),
        ]
      : []),
    ...(operation.conditional && operation.method !== 'GET'
      ? [header('If-Match', 'The `ETag` that was read; refused with 412 if it has changed since.')]
      : []),
    ...(operation.conditional && operation.method === 'GET'
      ? [header('If-None-Match', 'An `ETag` that was read; 304 if it still stands.')]
      : []),
  ];
}

/** Response headers on success, as OpenAPI header objects. */
export function responseHeaders(operation: Operation): JsonSchema {
  const header = (description: string) => ({ description, schema: { type: 'string' } });
  return {
    'X-Request-Id': header("Identifies the request in the service's log."),
    ...(operation.conditional ? { ETag: header('Changes whenever the resource does.') } : {}),
    ...(operation.paged ? { Link: header('The next page, `rel="next"`, if there is one.') } : {}),
    ...(operation.idempotent
      ? { 'Idempotency-Replayed': header('`true` if this is the response to an earlier request.') }
      : {}),
  };
}

/** All kinds of errors that an operation can return. */
export function problemKinds(operation: Operation): ReadonlySet<ProblemKind> {
  const hasBody = operation.body !== undefined || operation.upload !== undefined;
  return new Set<ProblemKind>([
    'unauthorized',
    ...(operation.role === 'operator' ? [] : (['forbidden'] as const)),
    ...(hasBody || operation.params ? (['malformed'] as const) : []),
    ...(hasBody ? (['too-slow', 'too-large', 'unsupported-media-type'] as const) : []),
    ...operation.errors,
    // Without an operator's key in the configuration, these operations are not there.
    ...(operation.role === 'operator' ? (['missing'] as const) : []),
    ...(operation.idempotent ? (['invalid', 'conflict'] as const) : []),
    ...(operation.conditional && operation.method !== 'GET' ? (['changed'] as const) : []),
    'too-many',
    'internal',
    'unavailable',
  ]);
}
