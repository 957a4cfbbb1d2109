import { deserialize } from 'node:v8';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../contract/errors.ts';
import type { VendorCatalogue } from '../contract/vendors.ts';
import { BytePace } from '../lib/byte-pace.ts';
import { ComputeError, ComputePool } from '../lib/compute-pool.ts';
import { loopRecorder } from '../lib/loop-recorder.ts';
import type { Clock } from '../ports/clock.ts';
import type { BodyAnswer, BodyTask } from './body-thread.ts';
import { CheckedBody } from './checked-body.ts';
import type { JsonBounds } from './read-json.ts';
import { teamOf } from './route.ts';

/** Of one body; most of it goes into the schemas, which the first one on a thread waits for. */
const CPU_MS = 2000;
const DEADLINE_MS = 15_000;
const MAX_WAITING_PER_TEAM = 32;
const RETRY_AFTER_SECONDS = 1;
const LONGEST_WAIT_MS = 10_000;

/** Large bodies of one team; those above wait. Sixteen a second of the largest. */
export const largeBodyPace = { bytesPerSecond: 2 ** 24, burstBytes: 2 ** 25 } as const;

export interface LargeBodiesOptions {
  readonly bounds: JsonBounds;
  readonly vendors: VendorCatalogue;
  /** Waits until a long body of this request may be read. */
  readonly inTurn: (request: FastifyRequest) => Promise<void>;
  readonly clock: Clock;
  /** @defaultValue threads of its own */
  readonly pool?: Pick<ComputePool<BodyTask, BodyAnswer>, 'run' | 'close'>;
}

/**
 * Parses and validates the bodies of teams' requests away from the thread that carries sound, teams by turns. Each team
 * has a pace: what it sends without end would take the cores and the memory of all.
 */
export class LargeBodies {
  readonly #options: LargeBodiesOptions;
  readonly #pool: NonNullable<LargeBodiesOptions['pool']>;
  readonly #pace: BytePace;

  constructor(options: LargeBodiesOptions) {
    this.#options = options;
    this.#pool =
      options.pool ??
      new ComputePool({
        entry: new URL('./body-thread.ts', import.meta.url),
        maxWaitingPerTeam: MAX_WAITING_PER_TEAM,
      });
    this.#pace = new BytePace(largeBodyPace, () => options.clock.now());
  }

  /**
   * Resolves with the {@link CheckedBody} of an operation's request, or with what was sent where there is no operation.
   * Rejects with Problem, as reading it here would.
   */
  async read(bytes: Buffer, request: FastifyRequest): Promise<unknown> {
    const { bounds, vendors, inTurn } = this.#options;
    const operation = request.routeOptions.config.operation?.id;
    const team = teamOf(request);
    await this.#waitFor(team, bytes.length);
    const answer = await this.#pool
      .run({ bytes, bounds, vendors, operation }, { team, deadlineMs: DEADLINE_MS, cpuMs: CPU_MS })
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

  async #waitFor(team: string, bytes: number): Promise<void> {
    const { clock } = this.#options;
    const waitMs = this.#pace.take(team, bytes, LONGEST_WAIT_MS);
    if (waitMs > LONGEST_WAIT_MS) throw tooManyLarge(Math.ceil(waitMs / 1000));
    if (waitMs > 0) await new Promise<void>((go) => clock.setTimeout(go, waitMs));
  }

  close(): void {
    this.#pool.close();
  }
}

const tooManyLarge = (retryAfterSeconds: number, cause?: unknown) =>
  new Problem({
    kind: 'too-many',
    message: 'Too many large bodies at once',
    retryAfterSeconds,
    cause,
  });

function unreadable(cause: ComputeError): Error {
  switch (cause.code) {
    case 'busy':
      return tooManyLarge(RETRY_AFTER_SECONDS, cause);
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
