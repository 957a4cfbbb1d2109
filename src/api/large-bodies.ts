import { deserialize } from 'node:v8';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../contract/errors.ts';
import type { VendorCatalogue } from '../contract/vendors.ts';
import { ComputeError, ComputePool } from '../lib/compute-pool.ts';
import { loopRecorder } from '../lib/loop-recorder.ts';
import type { BodyAnswer, BodyTask } from './body-thread.ts';
import { CheckedBody } from './checked-body.ts';
import type { JsonBounds } from './read-json.ts';
import { teamOf } from './route.ts';

/** Of one body; most of it goes into the schemas, which the first one on a thread waits for. */
const CPU_MS = 2000;
const DEADLINE_MS = 15_000;
const MAX_WAITING_PER_TEAM = 32;
const RETRY_AFTER_SECONDS = 1;

export interface LargeBodiesOptions {
  readonly bounds: JsonBounds;
  readonly vendors: VendorCatalogue;
  /** Waits until a long body of this request may be read. */
  readonly inTurn: (request: FastifyRequest) => Promise<void>;
}

/** Parses and validates the bodies of teams' requests away from the thread that carries sound, teams by turns. */
export class LargeBodies {
  readonly #options: LargeBodiesOptions;
  readonly #pool: ComputePool<BodyTask, BodyAnswer>;

  constructor(options: LargeBodiesOptions) {
    this.#options = options;
    this.#pool = new ComputePool({
      entry: new URL('./body-thread.ts', import.meta.url),
      maxWaitingPerTeam: MAX_WAITING_PER_TEAM,
    });
  }

  /**
   * Resolves with the {@link CheckedBody} of an operation's request, or with what was sent where there is no operation.
   * Rejects with Problem, as reading it here would.
   */
  async read(bytes: Buffer, request: FastifyRequest): Promise<unknown> {
    const { bounds, vendors, inTurn } = this.#options;
    const operation = request.routeOptions.config.operation?.id;
    const answer = await this.#pool
      .run(
        { bytes, bounds, vendors, operation },
        { team: teamOf(request), deadlineMs: DEADLINE_MS, cpuMs: CPU_MS },
      )
      .catch((error: unknown) => {
        throw error instanceof ComputeError ? unreadable(error) : error;
      });
    if (answer.kind === 'refused') {
      const { problem: kind, message, faults } = answer;
      throw new Problem({ kind, message, faults });
    }
    await inTurn(request);
    const value: unknown = loopRecorder.hold('body', () => deserialize(answer.value));
    return operation === undefined ? value : new CheckedBody(value, answer.sent);
  }

  close(): void {
    this.#pool.close();
  }
}

function unreadable(cause: ComputeError): Error {
  switch (cause.code) {
    case 'busy':
      return new Problem({
        kind: 'too-many',
        message: 'Too many large bodies at once',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause,
      });
    case 'exhausted':
    case 'memory':
      return new Problem({
        kind: 'too-large',
        message: 'The body takes too long to read',
        cause,
      });
    case 'overdue':
    case 'closed':
      return new Problem({
        kind: 'unavailable',
        message: 'The body cannot be read just now',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause,
      });
    case 'failed':
      return cause;
  }
}
