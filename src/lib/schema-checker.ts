import { ComputeError, ComputePool } from './compute-pool.ts';
import { type JsonSchema, JsonSchemaError } from './json-schema.ts';
import type { SchemaAnswer, SchemaTask } from './schema-thread.ts';

/** Who asks, and until when the answer is of use. */
export interface SchemaQuestion {
  readonly team: string;
  readonly signal?: AbortSignal;
}

export interface SchemaCheckerOptions {
  /** For one schema to be compiled and one value to be checked. @defaultValue 500 */
  readonly deadlineMs?: number;
}

/** The largest schema, as JSON text. */
export const MAX_SCHEMA_CHARS = 64 * 1024;

const THREADS = 2;
const MAX_WAITING_PER_TEAM = 200;
const HEAP_MIB = 128;

/** Checks values against schemas that users wrote, on threads of their own and within a time. */
export class SchemaChecker {
  readonly #deadlineMs: number;
  readonly #pool = new ComputePool<SchemaTask, SchemaAnswer>({
    entry: new URL('./schema-thread.ts', import.meta.url),
    threads: THREADS,
    maxWaitingPerTeam: MAX_WAITING_PER_TEAM,
    heapMib: HEAP_MIB,
  });

  constructor({ deadlineMs = 500 }: SchemaCheckerOptions = {}) {
    this.#deadlineMs = deadlineMs;
  }

  /** Compiles the schema, for checks to come. Rejects with {@link JsonSchemaError} where it cannot be used. */
  async compile(schema: JsonSchema, question: SchemaQuestion): Promise<void> {
    await this.#ask({ schema: textOf(schema) }, question);
  }

  /** What is wrong with the value, as `JsonCheck` says it. Rejects with {@link JsonSchemaError} where the schema is at fault. */
  check(schema: JsonSchema, value: unknown, question: SchemaQuestion): Promise<readonly string[]> {
    return this.#ask({ schema: textOf(schema), value: JSON.stringify(value) }, question);
  }

  /** Ends what is being checked. */
  close(): void {
    this.#pool.close();
  }

  async #ask(task: SchemaTask, { team, signal }: SchemaQuestion): Promise<readonly string[]> {
    if (task.schema.length > MAX_SCHEMA_CHARS)
      throw new JsonSchemaError(`is longer than ${MAX_SCHEMA_CHARS} characters of JSON`);
    const options = { deadlineMs: this.#deadlineMs, team, ...(signal ? { signal } : {}) };
    const answer = await this.#pool.run(task, options).catch((error: unknown) => {
      if (!(error instanceof ComputeError) || error.code === 'closed') throw error;
      throw new JsonSchemaError(this.#inWords(error), { cause: error });
    });
    if (answer.kind === 'unusable') throw new JsonSchemaError(answer.reason, answer);
    return answer.problems;
  }

  #inWords({ code, message }: ComputeError): string {
    if (code === 'overdue') return `takes longer than ${this.#deadlineMs} ms to check`;
    return code === 'failed' ? 'is too involved to be checked' : message;
  }
}

/** Serialised once: a call's tools are asked for again and again. */
const texts = new WeakMap<JsonSchema, string>();

function textOf(schema: JsonSchema): string {
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  texts.set(schema, text);
  return text;
}
