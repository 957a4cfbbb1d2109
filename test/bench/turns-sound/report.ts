import { Measures } from '../turns/metrics/measures.ts';

/** What one round has measured, by class. */
export interface Round {
  readonly found: ReadonlyMap<string, Measures>;
  readonly faults: readonly string[];
}

/** Turns that deserve their answer, without anything beside the caller. */
const PLAIN: readonly string[] = ['clean', 'pauses', 'numbers'];
/** With fewer times than this taken in time the machine was busy, and the others are no times either. */
const LEAST_IN_TIME = 0.8;

interface Goal {
  readonly goal: string;
  readonly atMost: number;
  readonly unit: 'ms' | '%';
  readonly of: (round: ReadonlyMap<string, Measures>) => number | undefined;
}

const percent = (share: number | undefined) =>
  share === undefined ? undefined : Math.round(1000 * share) / 10;

const GOALS: readonly Goal[] = [
  ...([0.5, 0.95] as const).map(
    (q): Goal => ({
      goal: `gap, plain turns, p${100 * q}`,
      atMost: q === 0.5 ? 620 : 1200,
      unit: 'ms',
      of: (found) => sumOf(found, PLAIN).quantile('gap', q),
    }),
  ),
  ...([0.5, 0.95] as const).map(
    (q): Goal => ({
      goal: `barge-in to silence, p${100 * q}`,
      atMost: q === 0.5 ? 200 : 550,
      unit: 'ms',
      of: (found) => sumOf(found).quantile('stop', q),
    }),
  ),
  {
    goal: 'beside a television, turns without an answer',
    atMost: 20,
    unit: '%',
    of: (found) => percent(sumOf(found, ['television']).share('missed turns', 'turns')),
  },
  lost('backchannels', 15),
  lost('side-talk', 35),
  lost('noises', 2),
  lost('echo', 3),
  {
    goal: 'words that were said or heard and are not in the record',
    atMost: 0,
    unit: '%',
    of: (found) => percent(sumOf(found).share('words missing', 'words')),
  },
];

function lost(name: string, atMost: number): Goal {
  return {
    goal: `replies lost to ${name}`,
    atMost,
    unit: '%',
    of: (found) => percent(sumOf(found, [name]).share('lost replies', 'overlaps')),
  };
}

function sumOf(found: ReadonlyMap<string, Measures>, names?: readonly string[]): Measures {
  const sum = new Measures();
  for (const [name, measures] of found) if (!names || names.includes(name)) sum.add(measures);
  return sum;
}

export interface Report {
  readonly classes: readonly Readonly<Record<string, string | number | undefined>>[];
  readonly goals: readonly {
    readonly goal: string;
    readonly value: number | undefined;
    /** Of each round. */
    readonly rounds: readonly (number | undefined)[];
    readonly atMost: number;
    readonly unit: string;
    readonly met: boolean;
  }[];
  readonly isQuiet: boolean;
  readonly validity: string;
  readonly calls: { readonly rounds: number; readonly notPlayed: number };
}

/** All rounds together, and what each gave where that is a goal. */
export function reportOf(rounds: readonly Round[]): Report {
  const all = new Map<string, Measures>();
  for (const { found } of rounds)
    for (const [name, measures] of found) {
      const sum = all.get(name) ?? new Measures();
      sum.add(measures);
      all.set(name, sum);
    }
  const whole = sumOf(all);
  const [times, late] = [whole.get('times'), whole.get('late')];
  const isQuiet = times > 0 && 1 - late / times >= LEAST_IN_TIME;
  return {
    classes: [...all].map(([name, measures]) => ({ class: name, ...rowOf(measures) })),
    goals: GOALS.map(({ goal, atMost, unit, of }) => {
      const value = of(all);
      const each = rounds.map(({ found }) => of(found));
      return {
        goal,
        value,
        rounds: each,
        atMost,
        unit,
        met: value !== undefined && value <= atMost,
      };
    }),
    isQuiet,
    validity: `${times - late} of ${times} times were taken in time${isQuiet ? '' : ': the machine was busy, and these are no figures'}`,
    calls: {
      rounds: rounds.length,
      notPlayed: rounds.reduce((sum, { faults }) => sum + faults.length, 0),
    },
  };
}

function rowOf(measures: Measures) {
  return {
    turns: measures.get('turns'),
    missed: measures.get('missed turns'),
    'gap p50': rounded(measures.quantile('gap', 0.5)),
    'gap p95': rounded(measures.quantile('gap', 0.95)),
    pauses: measures.get('pauses'),
    'cut-ins': measures.get('cut-ins'),
    'stop p50': rounded(measures.quantile('stop', 0.5)),
    overlaps: measures.get('overlaps'),
    lost: measures.get('lost replies'),
    words: measures.get('words'),
    'words missing': measures.get('words missing'),
    late: measures.get('late'),
  };
}

const rounded = (value: number | undefined) =>
  value === undefined ? undefined : Math.round(value);

/** The report as the documentation has it. */
export function markdownOf({ goals, classes, validity, calls }: Report, seed: number): string {
  const shown = (value: number | undefined, unit: string) =>
    value === undefined ? '–' : `${unit === 'ms' ? Math.round(value) : value}`;
  const goalRows = goals.map(
    ({ goal, value, rounds, atMost, unit, met }) =>
      `| ${goal}, ${unit} | ${shown(value, unit)} | ${rounds.map((each) => shown(each, unit)).join(', ')} | ${atMost} | ${met ? 'met' : 'missed'} |`,
  );
  const names = Object.keys(classes[0] ?? {});
  const classRows = classes.map(
    (row) => `| ${names.map((name) => row[name] ?? '–').join(' | ')} |`,
  );
  return [
    `By ear, ${calls.rounds} rounds from seed ${seed} on; ${validity}, ${calls.notPlayed} calls could not be played to their end.`,
    '',
    '| | all | each round | goal | |',
    '|---|---|---|---|---|',
    ...goalRows,
    '',
    `| ${names.join(' | ')} |`,
    `|${'---|'.repeat(names.length)}`,
    ...classRows,
  ].join('\n');
}
