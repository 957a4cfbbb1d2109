import type { JsonSchema } from '../../src/contract/openapi-schema.ts';
import { resolveSchema } from '../support/schema-arbitrary.ts';

/** A body that is meant to cost the service as much as its size allows. */
export interface WorstBody {
  readonly name: string;
  readonly text: string;
}

type Components = Readonly<Record<string, JsonSchema>>;

/** Texts that matchers of languages, addresses, templates, numbers and mark-up trip over, if over any. */
const PATTERNS = [
  'a',
  ' ',
  'en-aa,',
  '{{',
  '<!---->',
  'http://a.',
  '+1',
  'a@a.',
  '\\n',
  '((',
  '0-',
];

const MAX_BYTES = 1_048_576;
/** What a body has besides what was put into it. */
const FRAME_BYTES = 40_000;

const ROOM = MAX_BYTES - FRAME_BYTES;

const range = (count: number) =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, i) => i);

/** For any operation. */
const SHAPELESS: readonly WorstBody[] = [
  { name: 'nested arrays', text: '['.repeat(ROOM / 2) + ']'.repeat(ROOM / 2) },
  { name: 'nested objects', text: `${'{"a":'.repeat(ROOM / 6)}1${'}'.repeat(ROOM / 6)}` },
  { name: 'not closed', text: '{"a":['.repeat(ROOM / 6) },
];
const UNKNOWN_FIELDS = range(ROOM / 12)
  .map((i) => `"k${i}":${i % 10}`)
  .join(',');

/** What a field may hold, as JSON text of a size. */
const FILLINGS: Readonly<Record<string, (chars: number, index: number) => string>> = {
  'repeated numbers': (chars) => `[${'1,'.repeat(chars / 2)}1]`,
  'repeated objects': (chars) => `[${'{},'.repeat(chars / 3)}{}]`,
  'repeated texts': (chars) => `[${'"xy",'.repeat(chars / 5)}"x"]`,
  'wide objects': (chars) => `{${range(chars / 14).map((i) => `"k${i}":"v"`)}}`,
  'patterned texts': (chars, index) =>
    JSON.stringify(repeated(PATTERNS[index % PATTERNS.length] as string, chars)),
};

/** The worst bodies within the size limit that an operation's schema gives occasion for; `valid` is one it takes. */
export function worstBodies(
  schema: JsonSchema,
  components: Components,
  valid: unknown,
): readonly WorstBody[] {
  const fields = fieldsOf(schema, components);
  const base = Object.entries(typeof valid === 'object' && valid !== null ? valid : {});
  /** The valid body with the worst in the place of some of its fields. */
  const withWorst = (names: readonly string[], filling: (index: number) => string) => {
    const kept = base
      .filter(([name]) => !names.includes(name))
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    return `{${[...kept, ...names.map((name, index) => `"${name}":${filling(index)}`)].join(',')}}`;
  };
  const each = Math.floor(ROOM / Math.max(1, fields.length));
  const single = PATTERNS.slice(0, 2).flatMap((pattern, index) => {
    const name = fields[index % fields.length];
    const text = () => JSON.stringify(repeated(pattern, ROOM));
    return name === undefined
      ? []
      : [{ name: `${name} of ${JSON.stringify(pattern)}`, text: withWorst([name], text) }];
  });
  return [
    ...SHAPELESS,
    { name: 'wide, unknown fields', text: `{${UNKNOWN_FIELDS}}` },
    ...Object.entries(FILLINGS).map(([name, filling]) => ({
      name,
      text: withWorst(fields, (index) => filling(each, index)),
    })),
    ...single,
  ];
}

/** Ends in what the pattern does not: whoever looks back does so here. */
function repeated(unit: string, chars: number): string {
  return `${unit.repeat(Math.max(1, Math.floor(chars / (unit.length + 1))))}!`;
}

/** The names a body may have at its top, in any of its variants. */
function fieldsOf(schema: JsonSchema, components: Components): string[] {
  const resolved = resolveSchema(schema, components);
  const variants = resolved.anyOf ?? resolved.oneOf ?? resolved.allOf;
  const own = Object.keys((resolved.properties ?? {}) as object);
  const inner = Array.isArray(variants)
    ? variants.flatMap((variant) => fieldsOf(variant as JsonSchema, components))
    : [];
  return [...new Set([...own, ...inner])];
}
