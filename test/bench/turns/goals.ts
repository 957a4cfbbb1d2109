import type { Measures } from './metrics/measures.ts';

export type Unit = 's' | '%' | 'n';

/** One line of the table: what is measured, and what it should be. */
export interface Row {
  readonly name: string;
  readonly unit: Unit;
  readonly of: (m: Measures) => number | undefined;
  /** The most it may be; `atLeast` instead where more is better. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

const seconds = (name: string, q: number) => (m: Measures) => {
  const ms = m.quantile(name, q);
  return ms === undefined ? undefined : ms / 1000;
};
const share = (part: string, whole: string) => (m: Measures) => {
  const value = m.share(part, whole);
  return value === undefined ? undefined : value * 100;
};
// An engine of which it is not known has no count of it.
const count = (name: string) => (m: Measures) => m.counts[name];
const quantiles = (
  label: string,
  name: string,
  goals: readonly (number | undefined)[] = [],
): Row[] =>
  [0.5, 0.95, 0.99].map((q, i) => {
    const atMost = goals[i];
    return {
      name: `${label} p${q * 100}`,
      unit: 's' as const,
      of: seconds(name, q),
      ...(atMost === undefined ? {} : { atMost }),
    };
  });
const lost = (group: string, atMost?: number): Row => ({
  name: `lost replies: ${group}`,
  unit: '%',
  of: share(`lost replies/${group}`, `no interruptions/${group}`),
  ...(atMost === undefined ? {} : { atMost }),
});

/** Every metric, with the goal it has. */
export const ROWS: readonly Row[] = [
  ...quantiles('response gap, plain turns', 'gap/plain', [1.05, 2.0]),
  ...quantiles('response gap, with tools', 'gap/tool'),
  ...quantiles('response gap, late or odd recogniser', 'gap/odd recogniser'),
  ...quantiles('engine wait', 'engine wait'),
  {
    name: 'audible cut-ins per pause',
    unit: '%',
    of: share('cut-ins/all', 'pauses/all'),
    atMost: 2.5,
  },
  {
    name: 'audible cut-ins per pause, numbers',
    unit: '%',
    of: share('cut-ins/numbers', 'pauses/numbers'),
    atMost: 1,
  },
  { name: 'silent cut-ins per pause', unit: '%', of: share('silent cut-ins/all', 'pauses/all') },
  { name: 'missed turns, plain', unit: '%', of: share('missed turns/plain', 'turns/plain') },
  { name: 'missed turns, with tools', unit: '%', of: share('missed turns/tool', 'turns/tool') },
  {
    name: 'missed turns, late or odd recogniser',
    unit: '%',
    of: share('missed turns/odd recogniser', 'turns/odd recogniser'),
  },
  {
    name: 'missed barge-ins',
    unit: '%',
    of: share('missed barge-ins', 'interruptions'),
    atMost: 1,
  },
  ...quantiles('barge-in stop, voice', 'stop/voice', [0.35, 0.6]),
  ...quantiles('barge-in stop, two words', 'stop/words'),
  ...quantiles('barge-in stop from content, voice', 'stop from content/voice').slice(0, 2),
  ...quantiles('barge-in stop from content, words', 'stop from content/words').slice(0, 2),
  {
    name: 'penalty time per overlap',
    unit: 's',
    of: (m) => {
      const mean = m.mean('penalty');
      return mean === undefined ? undefined : mean / 1000;
    },
  },
  lost('backchannel', 2),
  lost('noise', 5),
  lost('side-talk', 25),
  lost('echo'),
  {
    name: 'audible holds per non-interruption',
    unit: '%',
    of: (m) => {
      const groups = ['backchannel', 'noise', 'side-talk', 'echo'];
      const sum = (prefix: string) => groups.reduce((n, g) => n + m.get(`${prefix}/${g}`), 0);
      const all = sum('no interruptions');
      return all === 0 ? undefined : (100 * sum('holds')) / all;
    },
  },
  ...quantiles('resume gap after a false hold', 'resume gap', [undefined, 0.9]),
  { name: 'double responses', unit: 'n', of: count('double responses'), atMost: 0 },
  { name: 'unheard words written', unit: 'n', of: count('unheard words written'), atMost: 0 },
  { name: 'heard words missing', unit: 'n', of: count('heard words missing') },
  { name: 'duplicate tools', unit: 'n', of: count('duplicate tools'), atMost: 0 },
  { name: 'stuck states', unit: 'n', of: count('stuck'), atMost: 0 },
  { name: 'dead air', unit: 'n', of: count('dead air') },
  { name: 'dead air where the voice fails', unit: 'n', of: count('dead air, no voice') },
  { name: 'missing idle messages', unit: 'n', of: count('missing idle'), atMost: 0 },
  { name: 'wrong idle messages', unit: 'n', of: count('wrong idle'), atMost: 0 },
  { name: 'drafts adopted', unit: '%', of: share('drafts adopted', 'drafts'), atLeast: 60 },
  {
    name: 'extra model calls',
    unit: '%',
    of: (m) => {
      const used = m.get('plain model calls') + m.get('drafts adopted');
      return used === 0 ? undefined : (100 * (m.get('drafts') - m.get('drafts adopted'))) / used;
    },
    atMost: 40,
  },
  ...quantiles('saved by a draft', 'saved by draft').slice(0, 2),
  { name: 'replay digests equal', unit: '%', of: share('replays equal', 'replays'), atLeast: 100 },
];

/** Whether a value is what it should be; nothing where there is no goal, or nothing to judge. */
export function isMet({ atMost, atLeast }: Row, value: number | undefined): boolean | undefined {
  if (value === undefined || (atMost === undefined && atLeast === undefined)) return undefined;
  return (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
}
