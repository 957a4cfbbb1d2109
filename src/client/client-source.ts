import type { OpenApiDocument } from '../contract/openapi.ts';
import type { JsonSchema } from '../contract/openapi-schema.ts';
import { typeOf } from './type-source.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: JsonSchema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: JsonSchema }>> }>
  >;
}

const HEADER = `// Generated from the contract by \`npm run client\`; a test fails when it is behind. Not to be edited.
`;

/** Generates the TypeScript source of a client: its types and its table of operations. */
export function clientSource(document: OpenApiDocument): string {
  const components = document.components.schemas as Record<string, JsonSchema>;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: operation as unknown as DescribedOperation,
    })),
  );
  return [
    HEADER,
    ...Object.entries(components).map(([name, schema]) => componentSource(name, schema)),
    '/** What each operation takes and answers; without a `response`, the answer is not JSON. */',
    'export interface Operations {',
    ...operations.map(({ operation }) => operationSource(operation)),
    '}\n',
    'export const operations = {',
    ...operations.map(
      ({ path, method, operation }) =>
        `  ${operation.operationId}: { method: '${method}', path: '${path}', idempotent: ${isIdempotent(operation)} },`,
    ),
    '} as const;\n',
  ].join('\n');
}

function componentSource(name: string, schema: JsonSchema): string {
  const description =
    typeof schema.description === 'string' ? `/** ${schema.description} */\n` : '';
  return `${description}export type ${name} = ${typeOf(schema, '')};\n`;
}

function operationSource({
  operationId,
  summary,
  parameters = [],
  requestBody,
  responses,
}: DescribedOperation): string {
  const lines = [`  /** ${summary}. */`, `  ${operationId}: {`];
  for (const where of ['path', 'query'] as const) {
    const named = parameters.filter((parameter) => parameter.in === where);
    if (named.length > 0) lines.push(parameterSource(where, named));
  }
  const body = requestBody?.content['application/json']?.schema;
  if (body) lines.push(`    body: ${typeOf(body, '    ')};`);
  if (requestBody?.content['multipart/form-data']) lines.push('    body: FormData;');
  const success = responses['200'] ?? responses['201'];
  const answer = success?.content?.['application/json']?.schema;
  if (answer) lines.push(`    response: ${typeOf(answer, '    ')};`);
  return [...lines, '  };'].join('\n');
}

function parameterSource(where: string, parameters: readonly Parameter[]): string {
  const optional = parameters.every(({ required }) => !required) ? '?' : '';
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema: inner, description }) => [name, { ...inner, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  return `    ${where}${optional}: ${typeOf(schema, '    ')};`;
}

function isIdempotent({ parameters = [] }: DescribedOperation): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key');
}
