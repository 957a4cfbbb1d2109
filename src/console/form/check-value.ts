import type { FieldFaults } from '../field-faults.ts';
import { type JsonSchema, variantOf } from './json-schema.ts';
import type { Values } from './value-path.ts';

/**
 * Validates required fields, ranges, lengths and patterns in the browser, with the service's messages. Only the service
 * checks rules between fields.
 */
export function checkValue(schema: JsonSchema, value: unknown): FieldFaults {
  const faults: Record<string, string> = {};
  check(schema, value, '', (path, message) => {
    faults[path] ??= message;
  });
  return faults;
}

type Report = (path: string, message: string) => void;

function check(schema: JsonSchema, value: unknown, path: string, report: Report): void {
  if (schema.oneOf) {
    const variant = variantOf(schema.oneOf, value);
    if (variant) check(variant, value, path, report);
    return;
  }
  const message = Array.isArray(value)
    ? listFault(schema, value.length)
    : typeof value === 'number'
      ? numberFault(schema, value)
      : typeof value === 'string'
        ? textFault(schema, value)
        : undefined;
  if (message) report(path, message);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (schema.items) check(schema.items, item, `${path}.${index}`, report);
  } else if (typeof value === 'object' && value !== null) {
    checkObject(schema, value as Values, path === '' ? '' : `${path}.`, report);
  }
}

function checkObject(schema: JsonSchema, value: Values, within: string, report: Report): void {
  for (const name of schema.required ?? [])
    if (value[name] === undefined) report(`${within}${name}`, 'Is required.');
  for (const [name, inner] of Object.entries(value)) {
    const known = schema.properties?.[name];
    if (known) check(known, inner, `${within}${name}`, report);
    else if (typeof schema.additionalProperties === 'object') {
      const fault = schema.propertyNames && textFault(schema.propertyNames, name);
      if (fault)
        report(`${within}${name}`, `The name ${fault.charAt(0).toLowerCase()}${fault.slice(1)}`);
      check(schema.additionalProperties, inner, `${within}${name}`, report);
    }
  }
}

function listFault({ minItems = 0, maxItems = Infinity }: JsonSchema, length: number) {
  if (length < minItems) return `Must have at least ${counted(minItems, 'item')}.`;
  if (length > maxItems) return `Must have at most ${counted(maxItems, 'item')}.`;
  return undefined;
}

function numberFault(schema: JsonSchema, value: number): string | undefined {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (schema.type === 'integer' && !Number.isInteger(value)) return 'Must be an integer.';
  if (value < minimum) return `Must be at least ${minimum}.`;
  if (value > maximum) return `Must be at most ${maximum}.`;
  return undefined;
}

function textFault(schema: JsonSchema, value: string): string | undefined {
  const { minLength = 0, maxLength = Infinity, pattern, anyOf } = schema;
  if (anyOf) return anyOf.some((one) => fits(one, value)) ? undefined : faultOfForm(anyOf.at(-1));
  if (schema.const !== undefined) return value === schema.const ? undefined : 'Is not allowed.';
  if (value.length < minLength)
    return value === '' ? 'Is required.' : `Must have at least ${counted(minLength, 'character')}.`;
  if (value.length > maxLength) return `Must have at most ${counted(maxLength, 'character')}.`;
  if (pattern && !new RegExp(pattern).test(value)) return faultOfForm(schema);
  return undefined;
}

const fits = (schema: JsonSchema, value: string): boolean => textFault(schema, value) === undefined;

/** Message for a text that does not match its pattern, taken from the contract. */
function faultOfForm(schema: JsonSchema | undefined): string {
  if (schema?.pattern === '\\S') return 'Must not be blank.';
  return `${schema?.['x-pattern-message'] ?? 'Has the wrong format'}.`.replace(/^./, (first) =>
    first.toUpperCase(),
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
