import { expect, test } from 'vitest';
import {
  HELP_AFTER_MS,
  type LeaseHelp,
  LeaseWatch,
  silenceLimitMs,
} from '../../src/cluster/lease-watch.ts';
import { ManualClock } from '../support/manual-clock.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const RESUME_MS = 15_000;
/** How long a question without an answer takes. */
const ASK_MS = 900;
const LEASE_MS = 1500;

const RENEWED: LeaseHelp = { isRenewed: true, lost: [] };
const AWAY: LeaseHelp = { isRenewed: false, lost: [] };

const machine = (id: string) => ({ id, serviceId: id, place: id, address: '' });

/** A node whose neighbours answer as told; `undefined`: not at all. */
function watchOf(answerOf: (nodeId: string) => LeaseHelp | undefined, resumeMs = RESUME_MS) {
  const clock = new ManualClock();
  const asked: number[] = [];
  const lost: string[] = [];
  const cutOff: number[] = [];
  const watch = new LeaseWatch({
    clock,
    log,
    resumeMs,
    async ask({ id }) {
      asked.push(clock.now());
      const answer = answerOf(id);
      if (answer) return answer;
      await new Promise<void>((resolve) => clock.setTimeout(resolve, ASK_MS));
      throw new Error('no answer');
    },
    onLost: (ids) => lost.push(...ids),
    onCutOff: () => cutOff.push(clock.now()),
  });
  return { clock, asked, lost, cutOff, watch };
}

test('one that renews its lease in time asks nobody', async () => {
  const { clock, asked, watch } = watchOf(() => RENEWED);
  watch.knows([machine('other')]);
  for (let n = 0; n < 20; n++) {
    watch.renewed();
    await clock.advance(400);
  }
  expect(asked).toEqual([]);
  watch.close();
});

test('one that cannot reach the store has others renew its lease before it is over, for as long as that lasts', async () => {
  const { clock, asked, cutOff, watch } = watchOf(() => RENEWED);
  watch.knows([machine('other')]);
  watch.renewed();
  await clock.advance(10 * RESUME_MS);
  const times = [0, ...asked];
  const gaps = times.slice(1).map((at, i) => at - (times[i] as number));
  expect(Math.max(...gaps)).toBeLessThan(LEASE_MS);
  expect(gaps.length).toBeGreaterThan(300);
  expect(watch.isHelped).toBe(true);
  expect(cutOff).toEqual([]);
  watch.renewed();
  expect(watch.isHelped).toBe(false);
  watch.close();
});

test('calls that another has taken or ended are let go when the others tell', async () => {
  const { clock, lost, watch } = watchOf(() => ({ isRenewed: true, lost: ['a call'] }));
  watch.knows([machine('other')]);
  watch.renewed();
  await clock.advance(HELP_AFTER_MS);
  expect(lost).toEqual(['a call']);
  watch.close();
});

test('a store that is away for all lets no call go, even if only one of many machines can be asked', async () => {
  const many = Array.from({ length: 40 }, (_, i) => machine(`machine ${i}`));
  const { clock, cutOff, watch } = watchOf((id) => (id === 'machine 33' ? AWAY : undefined));
  watch.knows(many);
  watch.renewed();
  await clock.advance(60 * 60_000);
  expect(cutOff).toEqual([]);
  expect(watch.isHelped).toBe(false);
  watch.close();
});

test.each([15_000, 60_000])(
  'one that hears nobody lets its calls go once, while callers still find them open elsewhere: of %i ms',
  async (resumeMs) => {
    const { clock, cutOff, watch } = watchOf(() => undefined, resumeMs);
    watch.knows([machine('one'), machine('another')]);
    watch.renewed();
    await clock.advance(10 * resumeMs);
    expect(cutOff).toHaveLength(1);
    expect(cutOff[0]).toBeGreaterThan(silenceLimitMs(resumeMs));
    // Others end the calls so long after the lease is over.
    expect(cutOff[0]).toBeLessThan(LEASE_MS + resumeMs - 3000);
    watch.close();
  },
);

test('a short silence lets no call go, however short callers are waited for', async () => {
  let answer: LeaseHelp | undefined;
  const { clock, cutOff, watch } = watchOf(() => answer, 0);
  watch.knows([machine('other')]);
  watch.renewed();
  await clock.advance(4500);
  answer = AWAY;
  await clock.advance(60_000);
  expect(cutOff).toEqual([]);
  watch.close();
});

test('one that was cut off, and then renewed its lease, may be cut off again', async () => {
  const { clock, cutOff, watch } = watchOf(() => undefined);
  watch.knows([machine('other')]);
  for (let n = 1; n <= 2; n++) {
    watch.renewed();
    await clock.advance(2 * RESUME_MS);
    expect(cutOff).toHaveLength(n);
  }
  watch.close();
});

test('one that stood still asks before it lets a call go', async () => {
  const { clock, cutOff, watch } = watchOf(() => undefined);
  watch.knows([machine('other')]);
  watch.renewed();
  // Its timers are as late as it stood still.
  clock.advanceTo(HELP_AFTER_MS);
  clock.advanceTo(10 * RESUME_MS);
  await clock.advance(ASK_MS);
  expect(cutOff).toEqual([]);
  watch.renewed();
  await clock.advance(HELP_AFTER_MS);
  expect(cutOff).toEqual([]);
  watch.close();
});

test('where there is no other machine, nobody else can own a call, and none is let go', async () => {
  const { clock, asked, cutOff, watch } = watchOf(() => undefined);
  watch.renewed();
  await clock.advance(60 * 60_000);
  expect([asked, cutOff]).toEqual([[], []]);
  watch.close();
});
