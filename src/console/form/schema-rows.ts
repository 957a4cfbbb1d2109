import type { Values } from './value-path.ts';

/** A user's JSON Schema; keywords unknown to the editor are preserved. */
export type OwnSchema = Values;

/** A property of an object, as a row of the editor. */
export interface SchemaRow {
  readonly name: string;
  readonly schema: OwnSchema;
  readonly required: boolean;
}

/** Types of a property, with their labels. */
export const SCHEMA_TYPES = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  array: 'List',
  object: 'Object',
} as const;

export type SchemaType = keyof typeof SCHEMA_TYPES;

/** Type of a schema; undefined if the editor cannot show it. */
export function typeOf(schema: OwnSchema): SchemaType | undefined {
  const { type } = schema;
  return typeof type === 'string' && Object.hasOwn(SCHEMA_TYPES, type)
    ? (type as SchemaType)
    : undefined;
}

export function rowsOf(schema: OwnSchema): readonly SchemaRow[] {
  const required = namesOf(schema.required);
  return Object.entries(objectOf(schema.properties)).map(([name, property]) => ({
    name,
    schema: objectOf(property),
    required: required.includes(name),
  }));
}

/** The object schema with these properties; its other keywords are kept. */
export function withRows(schema: OwnSchema, rows: readonly SchemaRow[]): OwnSchema {
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(rows.map((row) => [row.name, row.schema])),
    required: rows.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The schema with another type; keywords that only fit the old type are removed. */
export function retyped(schema: OwnSchema, type: SchemaType): OwnSchema {
  const { items: _i, properties: _p, required: _r, enum: _e, format: _f, ...kept } = schema;
  const { additionalProperties: _a, ...rest } = kept;
  if (type === 'object') return { ...rest, type, properties: {}, required: [] };
  if (type === 'array') return { ...rest, type, items: { type: 'string' } };
  return { ...rest, type };
}

/** An unused property name. */
export function freeRowName(rows: readonly SchemaRow[]): string {
  for (let count = rows.length + 1; ; count++) {
    const name = `field_${count}`;
    if (!rows.some((row) => row.name === name)) return name;
  }
}

/** Parses enum values of a text or a number, one per line. */
export function enumOf(text: string, type: SchemaType): readonly (string | number)[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  if (type === 'string') return lines;
  return lines.map(Number).filter((value) => !Number.isNaN(value));
}

export function objectOf(value: unknown): OwnSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as OwnSchema)
    : {};
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
