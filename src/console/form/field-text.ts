import type { JsonSchema } from './json-schema.ts';
import type { Values } from './value-path.ts';

/** What the console adds to a field of the contract: its label, and help where the schema does not say enough. */
export interface FieldText {
  readonly label: string;
  /** Replaces the contract's description. */
  readonly help?: string;
  /** Unit shown after a number. */
  readonly unit?: string;
  readonly placeholder?: string;
  /** Name of the widget that draws the field. @defaultValue the one that fits the schema */
  readonly widget?: string;
  readonly input?: 'url' | 'tel';
  /** A text of many lines: its box begins tall. */
  readonly tall?: boolean;
  /** Labels of an enum's values. */
  readonly options?: Readonly<Record<string, string>>;
  /** Label of one list item. */
  readonly item?: string;
  /** Values of a new item, in addition to its defaults. */
  readonly blank?: (items: readonly unknown[]) => Values;
  /** The field is shown and used only while this returns true. */
  readonly when?: (value: Values) => boolean;
}

/** Field texts by path; `*` stands for any list index. */
export type FieldTexts = Readonly<Record<string, FieldText>>;

/** The text of a field, or one derived from its name. */
export function textOf(texts: FieldTexts, path: string): FieldText {
  return texts[patternOf(path)] ?? { label: humanised(path.split('.').at(-1) ?? path) };
}

/** The path with a star in place of each list index. */
export function patternOf(path: string): string {
  return path.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
}

/** The path in words for people: `Voices, 2, Language`. */
export function pathLabel(texts: FieldTexts, path: string): string {
  const steps = path.split('.');
  const names = steps.map((step, index) => {
    if (/^\d+$/.test(step)) return String(Number(step) + 1);
    return texts[patternOf(steps.slice(0, index + 1).join('.'))]?.label;
  });
  const named = names.filter((name) => name !== undefined);
  return named.length === 0 ? path : named.join(', ');
}

function humanised(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Help of a field: the contract's description, with its limits. */
export function helpOf(schema: JsonSchema, text: FieldText): string | undefined {
  const said = text.help ?? schema.description;
  const bounds = boundsOf(schema, text.unit);
  return [said, bounds].filter(Boolean).join(' ') || undefined;
}

function boundsOf(
  { type, minimum, maximum, default: fallback }: JsonSchema,
  unit: string | undefined,
): string | undefined {
  if (type !== 'number' && type !== 'integer') return undefined;
  const range =
    minimum !== undefined && maximum !== undefined
      ? `${minimum.toLocaleString()}–${maximum.toLocaleString()}${unit ? ` ${unit}` : ''}.`
      : undefined;
  const usual = typeof fallback === 'number' ? `Default ${fallback.toLocaleString()}.` : undefined;
  return [range, usual].filter(Boolean).join(' ') || undefined;
}
