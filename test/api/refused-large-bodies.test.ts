import { serialize } from 'node:v8';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import type { BodyAnswer } from '../../src/api/body-thread.ts';
import { answerError } from '../../src/api/errors.ts';
import { LargeBodies, largeBodyPace } from '../../src/api/large-bodies.ts';
import { ComputeError, type ComputeFailure } from '../../src/lib/compute-pool.ts';
import { testVendors } from '../support/api.ts';
import { ManualClock } from '../support/manual-clock.ts';

const MIB = 2 ** 20;
const READ: BodyAnswer = { kind: 'read', value: serialize({ ok: true }), sent: '' };

/** Bodies on virtual time; `run` is what the thread does with one. */
function bodies(run: () => Promise<BodyAnswer> = async () => READ) {
  const clock = new ManualClock(0);
  const large = new LargeBodies({
    ...{ bounds: { maxDepth: 32, maxValues: 20_000 }, vendors: testVendors, clock },
    inTurn: async () => undefined,
    pool: { run, close: () => undefined },
  });
  const body = Buffer.alloc(MIB);
  /** What becomes of a body of a team: `read`, or the answer to its request. */
  const send = (teamId: string) => {
    const request = { routeOptions: { config: {} }, principal: { teamId } };
    return large.read(body, request as unknown as FastifyRequest).then(
      () => 'read' as const,
      (error: unknown) => answerError(error, { area: 'other' }),
    );
  };
  return { clock, send };
}

const MAX_AT_ONCE = largeBodyPace.burstBytes / MIB;
/** Those that may wait: ten seconds' worth. */
const MAX_WAITING = (10 * largeBodyPace.bytesPerSecond) / MIB;
const TOO_MANY = { status: 429, body: { message: 'Too many large bodies at once' } };

test('a team that brings more than its pace waits, then is told when to come; others are read at once', async () => {
  const { clock, send } = bodies();
  for (let i = 0; i < MAX_AT_ONCE; i++) expect(await send('a')).toBe('read');
  const waiting = Array.from({ length: MAX_WAITING }, () => send('a'));
  expect(await send('a')).toMatchObject({ ...TOO_MANY, headers: { 'retry-after': '11' } });
  expect(await send('b')).toBe('read');
  await clock.advance(10_000);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['read']));
});

test('bodies that are refused do not count, however many come', async () => {
  const { clock, send } = bodies();
  const waiting = Array.from({ length: MAX_AT_ONCE + MAX_WAITING }, () => send('a'));
  for (let i = 0; i < 1000; i++) expect(await send('a')).toMatchObject({ status: 429 });
  await clock.advance(12_000);
  await Promise.all(waiting);
  expect(await send('a')).toBe('read');
});

test.each([
  ['busy', 429, 'Too many large bodies at once', '1'],
  ['exhausted', 413, 'The body takes too long to read', undefined],
  ['memory', 413, 'The body takes too long to read', undefined],
  ['overdue', 503, 'The body cannot be read just now', '1'],
  ['closed', 503, 'The body cannot be read just now', '1'],
] as const satisfies [ComputeFailure, number, string, string | undefined][])(
  'where the thread is %s, the answer is %i',
  async (code, status, message, retryAfter) => {
    const { send } = bodies(async () => {
      throw new ComputeError(code, 'of the pool');
    });
    const answer = await send('a');
    expect(answer).toMatchObject({ status, body: { message }, unforeseen: false });
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    expect(answer).toMatchObject({ headers });
  },
);

test('a thread that fails for no such reason is an error of the service', async () => {
  const { send } = bodies(async () => {
    throw new ComputeError('failed', 'of the pool');
  });
  expect(await send('a')).toMatchObject({ status: 500, unforeseen: true });
});
