import { type OwnSchema, objectOf, rowsOf } from '../form/schema-rows.ts';

/** Sample arguments for a schema: its examples and defaults, or a value of each type. */
export function sampleArguments(schema: OwnSchema): Readonly<Record<string, unknown>> {
  return Object.fromEntries(rowsOf(schema).map((row) => [row.name, sampleOf(row.schema)]));
}

function sampleOf(schema: OwnSchema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return sampleArguments(schema);
    case 'array':
      return [sampleOf(objectOf(schema.items))];
    case 'number':
    case 'integer':
      // Of a whole number some libraries write the bounds that JavaScript has.
      return Math.min(boundOf(schema.maximum, Infinity), Math.max(boundOf(schema.minimum, 1), 1));
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return sampleText(schema.format);
  }
}

const boundOf = (bound: unknown, otherwise: number): number =>
  typeof bound === 'number' ? bound : otherwise;

function sampleText(format: unknown): string {
  switch (format) {
    case 'date':
      return '2030-01-31';
    case 'date-time':
      return '2030-01-31T09:30:00Z';
    case 'time':
      return '09:30:00Z';
    case 'email':
      return 'ada@example.com';
    case 'uri':
      return 'https://example.com';
    case 'uuid':
      return '01890a5d-ac96-774b-bcce-b302099a8057';
    default:
      return 'text';
  }
}
