import type { JsonSchema } from '../contract/openapi-schema.ts';

const COMPONENT = '#/components/schemas/';

/** Writes a JSON Schema as a TypeScript type; `indent` is the indentation of the line it starts on. */
export function typeOf(schema: JsonSchema, indent: string): string {
  const { $ref, type } = schema;
  if (typeof $ref === 'string') return $ref.replace(COMPONENT, '');
  if ('const' in schema) return literal(schema.const);
  if (schema['x-open-enum'] === true) return withNull('string', schema);
  if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return unionOf(options as JsonSchema[], indent);
  if (Array.isArray(type)) {
    return unionOf(
      type.map((one) => ({ ...schema, type: one })),
      indent,
    );
  }
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly ${wrapped(typeOf(schema.items as JsonSchema, indent))}[]`;
    case 'object':
      return objectType(schema, indent);
    default:
      return 'unknown';
  }
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

function withNull(type: string, { type: declared }: JsonSchema): string {
  return Array.isArray(declared) && declared.includes('null') ? `${type} | null` : type;
}

function unionOf(options: readonly JsonSchema[], indent: string): string {
  return [...new Set(options.map((option) => typeOf(option, indent)))].join(' | ');
}

const wrapped = (type: string) => (type.includes(' | ') ? `(${type})` : type);

function objectType(schema: JsonSchema, indent: string): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (properties.length === 0) return `Readonly<Record<string, ${valueType(schema, indent)}>>`;
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const inner = `${indent}  `;
  const fields = properties.flatMap(([name, property]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    const { description } = property;
    return [
      ...(typeof description === 'string' ? [`${inner}/** ${description} */`] : []),
      `${inner}readonly ${key}${required.has(name) ? '' : '?'}: ${typeOf(property, inner)};`,
    ];
  });
  const open = typeof schema.additionalProperties === 'object' && properties.length > 0;
  return [
    '{',
    ...fields,
    ...(open ? [`${inner}readonly [key: string]: unknown;`] : []),
    `${indent}}`,
  ].join('\n');
}

function valueType({ additionalProperties }: JsonSchema, indent: string): string {
  return typeof additionalProperties === 'object' && additionalProperties !== null
    ? typeOf(additionalProperties as JsonSchema, indent)
    : 'unknown';
}
