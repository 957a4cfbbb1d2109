import { describe, expect, test } from 'vitest';
import { GENERATED, type GeneratedClass, generate } from '../bench/turns/corpus.ts';
import { drive } from '../bench/turns/driver.ts';
import { parleyByWords } from '../bench/turns/engines/parley.ts';
import { ENGINES } from '../bench/turns/engines.ts';
import { Oracle } from '../bench/turns/oracle.ts';
import { Random } from '../bench/turns/random.ts';
import { RECOGNISERS, sampleLatency } from '../bench/turns/vendor-profiles.ts';

const classes = Object.keys(GENERATED) as GeneratedClass[];

test.each(classes)('%s scripts come from the seed alone', (name) => {
  expect(generate(3, name, 0.05)).toEqual(generate(3, name, 0.05));
  expect(generate(3, name, 0.05)).not.toEqual(generate(4, name, 0.05));
});

test('a run of a script is the same each time', () => {
  const [script] = generate(5, 'barge-ins', 0.01);
  if (!script) throw new Error('no script');
  expect(drive(script, parleyByWords)).toEqual(drive(script, parleyByWords));
});

test('every engine lives through a sample of every class', () => {
  for (const kind of ENGINES) {
    for (const script of classes.flatMap((name) => generate(6, name, 0.01))) {
      const trace = drive(script, kind);
      expect(trace.fault, `${script.id} on ${kind.name}`).toBeUndefined();
      expect(trace.end.at).toBeLessThan(240_000);
    }
  }
});

test('all parts of a turn without pauses reach the engine, and the caller is answered', () => {
  for (const script of generate(7, 'clean', 0.1)) {
    const { acts, commands } = drive(script, parleyByWords);
    const said = commands.flatMap((c) =>
      c.type === 'transcript.append' && c.message.role === 'user' ? [c.message.text] : [],
    );
    expect(said).toHaveLength(acts.length);
  }
});

describe('vendors', () => {
  test.each(Object.entries(RECOGNISERS))('%s is as slow as it was measured', (_name, latency) => {
    const random = new Random('latency');
    const drawn = Array.from({ length: 20_000 }, () => sampleLatency(latency, random)).sort(
      (a, b) => a - b,
    );
    const at = (q: number) => drawn[Math.floor(q * drawn.length)] as number;
    expect(at(0.5) / latency.medianMs).toBeCloseTo(1, 1);
    for (const [q, ms] of [
      [0.95, latency.p95Ms],
      [0.99, latency.p99Ms],
    ] as const) {
      expect(at(q) / ms).toBeGreaterThan(0.8);
      expect(at(q) / ms).toBeLessThan(1.25);
    }
  });
});

describe('the predictor', () => {
  const drawn = (truth: boolean) => {
    const oracle = new Oracle();
    const random = new Random(`oracle ${truth}`);
    return Array.from({ length: 8000 }, (_, n) =>
      oracle.unfinished(truth, random.fork('silence', n), random.fork('look', n)),
    );
  };
  const going = drawn(true);
  const done = drawn(false);

  test('tells pauses from ends as well as smart-turn does', () => {
    const pairs = going.map((p, i) => (p > (done[i] as number) ? 1 : 0) as number);
    expect(pairs.reduce((a, b) => a + b, 0) / pairs.length).toBeCloseTo(0.856, 1);
  });

  test('is calibrated: of what it calls p, a share of p goes on', () => {
    for (const low of [0, 0.2, 0.4, 0.6, 0.8]) {
      const within = (p: number) => p >= low && p < low + 0.2;
      const [on, over] = [going.filter(within).length, done.filter(within).length];
      const share = on / (on + over);
      expect(Math.abs(share - (low + 0.1))).toBeLessThan(0.08);
    }
  });
});
