import { describe, expect, test } from 'vitest';
import { measure } from '../bench/turns/metrics/measure.ts';
import type { Act, Script } from '../bench/turns/script.ts';
import type { RealisedAct, Trace } from '../bench/turns/trace.ts';

const script: Script = {
  id: 'x',
  class: 'pauses',
  sort: 'x',
  language: 'en-US',
  seed: 'x',
  recogniser: 'nova-3',
  hearing: {},
  callerDb: -24,
  neverSeen: false,
  settings: {},
  plan: { replies: [{ pieces: ['One two.'] }], msPerWord: 300, wordTimes: true },
  acts: [],
  tailMs: 1000,
};

const said = (kind: Act['kind'], from: number, to: number): RealisedAct => ({
  act: { kind, start: { after: 'reply', ms: 0 }, parts: [{ text: 'a b', ms: 1, pauseMs: 0 }] },
  from,
  to,
  pauses: [],
  ended: to,
  broken: false,
  tailMs: 250,
});

/** A call with answers at these instants, each for a turn of its own unless it has the same number. */
function traceOf(
  acts: RealisedAct[],
  sounds: readonly (readonly [number, number, number])[],
): Trace {
  return {
    script,
    acts,
    commands: [],
    sounds: sounds.map(([turn, from, to]) => ({ from, to, uttId: turn, fromMs: 0 })),
    generations: new Map(
      sounds.map(([turn]) => [
        turn,
        {
          genId: turn,
          at: 0,
          turn,
          firstMs: 400,
          speculative: false,
          pieces: ['x'],
          totalMs: 2000,
        },
      ]),
    ),
    utterances: new Map(
      sounds.map(([turn]) => [
        turn,
        { uttId: turn, text: 'x', at: 0, firstMs: 150, totalMs: 2000, words: [], genId: turn },
      ]),
    ),
    stuck: 0,
    end: { at: 20_000, finished: false, resting: true },
    journal: undefined,
    fault: undefined,
  };
}

describe('of a turn', () => {
  test('the gap runs from the end of speech to the first audio', () => {
    const m = measure(traceOf([said('turn', 1000, 3000)], [[1, 4000, 6000]]));
    expect(m.samples.gap).toEqual([1000]);
    expect(m.samples['engine wait']).toEqual([1000 - 250 - 550]);
  });

  test('audio inside it is a cut-in, and no gap', () => {
    const turn = said('turn', 1000, 5000);
    turn.pauses.push({ from: 2000, to: 3500 });
    const m = measure(traceOf([turn], [[1, 3000, 4000]]));
    expect(m.get('cut-ins')).toBe(1);
    expect(m.get('pauses')).toBe(1);
    expect(m.samples.gap).toBeUndefined();
  });

  test('a cut-in counts in the gap with cut turns from the true end, as six seconds without an answer', () => {
    const cut = said('turn', 1000, 5000);
    cut.pauses.push({ from: 2000, to: 3500 });
    const answered = measure(traceOf([cut], [[1, 3000, 4000] as const, [2, 6200, 8200] as const]));
    expect(answered.samples['gap with cut turns']).toEqual([1200]);
    const left = measure(traceOf([cut], [[1, 3000, 4000]]));
    expect(left.samples['gap with cut turns']).toEqual([6000]);
  });

  test('silence after a reply that broke off by itself is dead air', () => {
    const broken = measure(traceOf([said('turn', 1000, 3000)], [[1, 4000, 4500]]));
    expect(broken.get('dead air')).toBe(1);
    const whole = measure(traceOf([said('turn', 1000, 3000)], [[1, 4000, 6000]]));
    expect(whole.get('dead air')).toBe(0);
  });

  test('without an answer in six seconds it is missed; two answers are one too many', () => {
    expect(measure(traceOf([said('turn', 0, 1000)], [])).get('missed turns')).toBe(1);
    const two = [[1, 2000, 3000] as const, [2, 4000, 5000] as const];
    expect(measure(traceOf([said('turn', 0, 1000)], two)).get('double responses')).toBe(1);
  });
});

describe('of an overlap', () => {
  test('the stop runs from the onset to the last sound of the reply', () => {
    const m = measure(traceOf([said('interruption', 5000, 6000)], [[1, 4000, 5300]]));
    expect(m.samples['stop, voice']).toEqual([300]);
    expect(m.get('missed barge-ins')).toBe(0);
    const missed = measure(traceOf([said('interruption', 5000, 6000)], [[1, 4000, 7100]]));
    expect(missed.get('missed barge-ins')).toBe(1);
  });

  test('a reply that goes on after a backchannel was held, one that does not was lost', () => {
    const before = said('turn', 0, 3000);
    const held = [[1, 4000, 5200] as const, [1, 6000, 6800] as const];
    const m = measure(traceOf([before, said('backchannel', 5000, 5500)], held));
    expect(m.get('lost replies')).toBe(0);
    expect(m.samples['resume gap']).toEqual([500]);
    const lost = measure(traceOf([before, said('backchannel', 5000, 5500)], [[1, 4000, 5200]]));
    expect(lost.get('lost replies')).toBe(1);
  });

  test('beside a voice that never ends any reply not heard whole is lost', () => {
    const trace = traceOf([said('turn', 1000, 3000)], [[1, 4000, 5000]]);
    const television = { underDb: 15, sentences: ['and now'] };
    const m = measure({ ...trace, script: { ...script, television } });
    expect(m.get('lost replies')).toBe(1);
    expect(m.get('overlaps')).toBe(1);
  });
});
