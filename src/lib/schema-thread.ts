import { answerTasks } from './compute-thread.ts';
import { compileJsonSchema, findFaultyProperty, type JsonCheck } from './json-schema.ts';
import { JsonSchemaError } from './json-schema-error.ts';

/** JSON texts, which are the cheapest to send to a thread. */
export interface SchemaTask {
  readonly schema: string;
  /** Absent: only the schema is checked. */
  readonly value?: string;
}

export type SchemaAnswer =
  | { readonly kind: 'checked'; readonly problems: readonly string[] }
  | {
      readonly kind: 'unusable';
      readonly reason: string;
      /** Name of the faulty property, if the problem is in one property. */
      readonly property?: string;
    };

const MAX_CACHED = 200;
/** A compiled schema takes about twenty times the memory of its text. */
const MAX_CACHED_CHARS = 1_000_000;

/** Compiled checks by schema text, least recently used first. */
const cache = new Map<string, JsonCheck>();
let cachedChars = 0;

function checkOf(text: string): JsonCheck {
  const check = cache.get(text) ?? compileJsonSchema(JSON.parse(text));
  if (!cache.delete(text)) cachedChars += text.length;
  cache.set(text, check);
  for (const oldest of cache.keys()) {
    if (cache.size <= MAX_CACHED && cachedChars <= MAX_CACHED_CHARS) break;
    cache.delete(oldest);
    cachedChars -= oldest.length;
  }
  return check;
}

answerTasks(({ schema, value }: SchemaTask): SchemaAnswer => {
  try {
    const check = checkOf(schema);
    return { kind: 'checked', problems: value === undefined ? [] : check(JSON.parse(value)) };
  } catch (error) {
    if (!(error instanceof JsonSchemaError)) throw error;
    const property = findFaultyProperty(JSON.parse(schema));
    return {
      kind: 'unusable',
      reason: error.message,
      ...(property === undefined ? {} : { property }),
    };
  }
});
