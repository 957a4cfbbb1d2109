import { ComputeError, ComputePool } from './compute-pool.ts';
import type { IdleRule } from './idle-end.ts';
import { type JsonSchema, JsonSchemaError } from './json-schema-error.ts';
import type { SchemaAnswer, SchemaTask } from './schema-thread.ts';

/** The team that asks, and a signal that aborts the wait. */
export interface SchemaQuestion {
  readonly team: string;
  readonly signal?: AbortSignal;
}

export interface SchemaCheckerOptions {
  /** CPU time for compiling one schema and checking one value, in ms. @defaultValue 500 */
  readonly cpuMs?: number;
  /** Limit on the elapsed time of the same, in ms, in case the machine is too busy. @defaultValue 10000 */
  readonly deadlineMs?: number;
  readonly idle?: IdleRule;
}

/** The schema was not checked because this machine is too busy; the schema may be valid. */
export class SchemaBusyError extends JsonSchemaError {}

/** Length limit of a schema as JSON text. */
export const MAX_SCHEMA_CHARS = 64 * 1024;

const THREADS = 2;
const MAX_WAITING_PER_TEAM = 200;
const HEAP_MIB = 128;

/** Checks values against schemas of users, on threads and with time limits. */
export class SchemaChecker {
  readonly #limits: Required<Omit<SchemaCheckerOptions, 'idle'>>;
  readonly #pool: ComputePool<SchemaTask, SchemaAnswer>;

  constructor({ cpuMs = 500, deadlineMs = 10_000, idle = {} }: SchemaCheckerOptions = {}) {
    this.#limits = { cpuMs, deadlineMs };
    this.#pool = new ComputePool({
      entry: new URL('./schema-thread.ts', import.meta.url),
      threads: THREADS,
      maxWaitingPerTeam: MAX_WAITING_PER_TEAM,
      heapMib: HEAP_MIB,
      idle,
    });
  }

  /** Compiles and caches the schema. Rejects with {@link JsonSchemaError} if it cannot be used. */
  async compile(schema: JsonSchema, question: SchemaQuestion): Promise<void> {
    await this.#ask({ schema: textOf(schema) }, question);
  }

  /**
   * Resolves with the problems of the value, as `JsonCheck` returns them. Rejects with {@link JsonSchemaError} if the
   * schema cannot be used.
   */
  check(schema: JsonSchema, value: unknown, question: SchemaQuestion): Promise<readonly string[]> {
    return this.#ask({ schema: textOf(schema), value: JSON.stringify(value) }, question);
  }

  /** Aborts running checks. */
  close(): void {
    this.#pool.close();
  }

  async #ask(task: SchemaTask, { team, signal }: SchemaQuestion): Promise<readonly string[]> {
    if (task.schema.length > MAX_SCHEMA_CHARS)
      throw new JsonSchemaError(`is longer than ${MAX_SCHEMA_CHARS} characters of JSON`);
    const options = { ...this.#limits, team, ...(signal ? { signal } : {}) };
    const answer = await this.#pool.run(task, options).catch((error: unknown) => {
      if (!(error instanceof ComputeError) || error.code === 'closed') throw error;
      throw this.#faultOf(error);
    });
    if (answer.kind === 'unusable') throw new JsonSchemaError(answer.reason, answer);
    return answer.problems;
  }

  #faultOf(error: ComputeError): JsonSchemaError {
    const { cpuMs, deadlineMs } = this.#limits;
    switch (error.code) {
      case 'exhausted':
        return new JsonSchemaError(`takes longer than ${cpuMs} ms to check`, { cause: error });
      case 'overdue':
        return new SchemaBusyError(
          `was not checked within ${deadlineMs / 1000} s: the service is busy`,
          { cause: error },
        );
      case 'busy':
        return new SchemaBusyError(error.message, { cause: error });
      default:
        return new JsonSchemaError('is too complex to be checked', { cause: error });
    }
  }
}

/** Caches the JSON text of schemas, since those of a call's tools are used repeatedly. */
const texts = new WeakMap<JsonSchema, string>();

function textOf(schema: JsonSchema): string {
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  texts.set(schema, text);
  return text;
}
