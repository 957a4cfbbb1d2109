import { beforeAll, describe, expect, test } from 'vitest';
import type { GeneratedClass } from '../bench/turns/corpus.ts';
import { OURS } from '../bench/turns/engines.ts';
import { Measures } from '../bench/turns/metrics/measures.ts';
import { doWork } from '../bench/turns/work.ts';

/** A tenth of the corpus of one seed, which no figure in the README is from. */
const SEED = 4100;
const SCALE = 0.1;

const classes: readonly GeneratedClass[] = [
  'clean',
  'pauses',
  'numbers',
  'barge-ins',
  'backchannels',
  'noises',
  'echo',
  'welcome-races',
  'recogniser',
  'control',
];

describe(`a tenth of the corpus of seed ${SEED}, as it ships`, () => {
  const measures = new Map<GeneratedClass, Measures>();
  const faults: string[] = [];
  const over = (...names: readonly GeneratedClass[]) => {
    const all = new Measures();
    for (const name of names) all.add(measures.get(name) ?? new Measures());
    return all;
  };

  beforeAll(() => {
    const [engine] = OURS;
    for (const name of classes) {
      const done = doWork({ engine, class: name, seed: SEED, scale: SCALE });
      faults.push(...done.faults);
      const all = new Measures();
      all.add(done.measures);
      measures.set(name, all);
    }
  });

  test('no call breaks, none is stuck, and each replays as it was', () => {
    const all = over(...classes);
    expect(faults).toEqual([]);
    expect(all.get('stuck')).toBe(0);
    expect(all.get('replays equal')).toBe(all.get('replays'));
  });

  test('no turn has two answers, no tool runs twice, nothing unheard is written', () => {
    const all = over(...classes);
    expect(all.get('double responses')).toBe(0);
    expect(all.get('duplicate tools')).toBe(0);
    expect(all.get('unheard words written')).toBe(0);
  });

  test('plain turns are answered, soon and rarely too soon', () => {
    const plain = over('clean', 'pauses', 'numbers');
    expect(plain.get('missed turns')).toBe(0);
    expect(plain.get('dead air')).toBe(0);
    expect(plain.quantile('gap', 0.5)).toBeLessThan(1200);
    expect(plain.share('cut-ins', 'pauses')).toBeLessThan(0.16);
  });

  test('interruptions stop the reply; backchannels of the lists and noises do not', () => {
    expect(over('barge-ins').get('missed barge-ins')).toBe(0);
    expect(over('barge-ins').quantile('stop, voice', 0.5)).toBeLessThan(350);
    expect(over('backchannels').get('lost replies/in our lists')).toBe(0);
    expect(over('noises').share('lost replies', 'overlaps')).toBeLessThan(0.1);
    expect(over('echo').share('lost replies/word times', 'overlaps/word times')).toBeLessThan(0.3);
  });
});
