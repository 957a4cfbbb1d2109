import type { z } from 'zod';
import { headerParameters, problemKinds, responseHeaders } from './conventions.ts';
import { errorBodySchema } from './error-bodies.ts';
import { areaOf, type ProblemKind, problemStatus, UNFORESEEN } from './errors.ts';
import { COMPONENTS, type JsonSchema, OpenApiSchemas } from './openapi-schema.ts';
import { describeWebhooks, WEBHOOK_TAG } from './openapi-webhooks.ts';
import type { Operation } from './operation.ts';
import type { Access } from './role.ts';

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly [];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly webhooks: Readonly<Record<string, JsonSchema>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const TAGS: Record<string, string> = {
  Assistants: 'Who holds the calls.',
  Tools: "Functions that a model may call, on the user's own server.",
  Numbers: 'Telephone numbers, and who answers them.',
  'Knowledge bases': 'Knowledge that assistants can search.',
  Files: 'Files for knowledge bases.',
  Calls: 'Conversations: started, read back and steered.',
  Health: 'What is wrong now, and what to do about it.',
  Privacy: 'What is kept about callers, for how long, and how it is deleted.',
  'API keys': 'Ways in.',
  'Public keys': 'Calls from web pages of any site.',
  People: 'Those of the team who sign in to the console.',
  'Signing in': 'How the console gets a session.',
  Audit: 'Who changed, read or heard what, and when.',
  'Own account': 'What people do about themselves.',
  Operator:
    'For whoever runs the service: teams, their limits and what they use. Off unless `ADMIN_KEY` is set.',
  [WEBHOOK_TAG]: 'Webhooks about calls to the server of an assistant.',
};

const BY_ACCESS: Partial<Record<Access, readonly Readonly<Record<string, readonly []>>[]>> = {
  operator: [{ operator: [] }],
  person: [{ session: [] }],
  anyone: [],
};
/** The console's session is an alternative to a key, but no way in for programs, so that only what needs it names it. */
const securityOf = ({ role }: Operation) => BY_ACCESS[role] ?? [{ bearer: [] }];

const ERROR_DESCRIPTIONS: Record<ProblemKind, string> = {
  malformed: 'The URL or the body is malformed.',
  invalid: 'A field is missing, unknown or out of bounds; the message names it.',
  unauthorized: 'The credential is missing, malformed, unknown or revoked.',
  forbidden:
    'The role of the credential does not allow this, or the team is suspended; the message says which.',
  missing: 'There is no such resource in the team.',
  'too-slow': 'The body came too slowly.',
  conflict: 'The request conflicts with the current state.',
  attached: 'Knowledge bases use it; they are listed.',
  'not-live': 'The call is not live, or its state does not allow this.',
  changed: 'The resource has changed since it was read.',
  'too-large': 'The body is too large.',
  'unsupported-media-type': 'The content type of the body is not supported.',
  'too-many': 'A limit is reached; `Retry-After` says when to try again.',
  untested: 'The assistant is published only when its tests pass, and they do not.',
  'not-callable': 'The number may not be called now; `error` says why.',
  'over-limit': 'A limit of the team is reached; `error` names it.',
  internal: 'The service failed. The cause is in its log under the request id.',
  vendor: 'A vendor rejected the request or could not be reached.',
  unavailable: 'The service is not ready or is draining; `Retry-After` says when to try again.',
  'no-space': 'The disk of the service is full.',
};

/** Describes the API as an OpenAPI document, from the schemas that validate requests. Takes a fifth of a second. */
export function openApiDocument(operations: readonly Operation[]): OpenApiDocument {
  const schemas = new OpenApiSchemas();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation, schemas),
    };
  }
  const tags = [...new Set(operations.map(({ tag }) => tag)), WEBHOOK_TAG];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: '1.1.0',
      summary: 'Voice assistants that hold spoken calls over the web and the phone.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service.' }],
    security: [],
    tags: tags.map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    webhooks: describeWebhooks(schemas),
    components: {
      schemas: schemas.components(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the team.' },
        operator: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `ADMIN_KEY` of the service.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'parley_session',
          description:
            'The session of a person, with the header `X-Parley-Console: 1`. Over TLS its name begins with `__Host-`.',
        },
      },
    },
  };
}

/** A component of a document as a JSON Schema of its own, with the components that it refers to and no others. */
export function componentAlone({ components }: OpenApiDocument, name: string): JsonSchema {
  const found = new Map<string, unknown>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref' && typeof inner === 'string') keep(inner.slice(COMPONENTS.length));
      else collect(inner);
    }
  };
  const keep = (each: string): void => {
    const schema = components.schemas?.[each];
    if (schema === undefined || found.has(each)) return;
    found.set(each, schema);
    collect(schema);
  };
  keep(name);
  return { $ref: `${COMPONENTS}${name}`, components: { schemas: Object.fromEntries(found) } };
}

function describeOperation(operation: Operation, schemas: OpenApiSchemas): JsonSchema {
  const { id, role, tag, summary, params, query, body, upload } = operation;
  const description = [operation.description, role in BY_ACCESS ? '' : `Least role: ${role}.`]
    .filter(Boolean)
    .join(' ');
  const parameters = [
    ...(params ? describeParameters(params, 'path', schemas) : []),
    ...(query ? describeParameters(query, 'query', schemas) : []),
    ...headerParameters(operation),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: describeBody(body, schemas) } : {}),
    ...(upload ? { requestBody: describeUpload(upload) } : {}),
    responses: { ...describeSuccess(operation, schemas), ...describeErrors(operation, schemas) },
  };
}

function describeParameters(
  schema: z.ZodObject,
  where: 'path' | 'query',
  schemas: OpenApiSchemas,
): JsonSchema[] {
  const json = schemas.convert(schema, 'input');
  const required = new Set(json.required as string[] | undefined);
  return Object.entries(json.properties as Record<string, JsonSchema>).map(([name, inner]) => {
    const { description, ...rest } = inner;
    return {
      name,
      in: where,
      required: where === 'path' || required.has(name),
      ...(description ? { description } : {}),
      schema: rest,
    };
  });
}

function describeBody(body: z.ZodType, schemas: OpenApiSchemas): JsonSchema {
  const schema = schemas.convert(body, 'input');
  return { required: true, content: { 'application/json': { schema } } };
}

function describeUpload({ part, description }: NonNullable<Operation['upload']>): JsonSchema {
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description };
  const schema = {
    type: 'object',
    properties: { [part]: file },
    required: [part],
    additionalProperties: false,
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function describeSuccess(operation: Operation, schemas: OpenApiSchemas): JsonSchema {
  const { response } = operation;
  const content: JsonSchema = {};
  if (response.schema)
    content['application/json'] = { schema: schemas.convert(response.schema, 'output') };
  for (const type of response.contentTypes ?? []) content[type] = { schema: { type: 'string' } };
  const headers = responseHeaders(operation);
  return {
    ...(operation.upgrades ? { 101: { description: 'The connection is now a WebSocket.' } } : {}),
    [response.status]: { description: response.description, headers, content },
    ...(operation.conditional && operation.method === 'GET'
      ? { 304: { description: 'The resource has not changed.' } }
      : {}),
  };
}

function describeErrors(operation: Operation, schemas: OpenApiSchemas): JsonSchema {
  const area = areaOf(operation.path);
  const kinds = problemKinds(operation);
  const byStatus = Map.groupBy(kinds, (kind) => problemStatus(kind, area));
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [status, describeProblem(operation, group, schemas)]),
  );
}

function describeProblem(
  operation: Operation,
  kinds: readonly ProblemKind[],
  schemas: OpenApiSchemas,
): JsonSchema {
  const area = areaOf(operation.path);
  const bodies = [...new Set(kinds.map((kind) => errorBodySchema(kind, area)))].map((schema) =>
    schemas.convert(schema, 'output'),
  );
  const description = kinds.map((kind) => ERROR_DESCRIPTIONS[kind]).join(' ');
  return {
    description: kinds.includes('internal')
      ? `${description} The message is: ${operation.failure ?? UNFORESEEN}`
      : description,
    content: {
      'application/json': { schema: bodies.length === 1 ? bodies[0] : { anyOf: bodies } },
    },
  };
}
