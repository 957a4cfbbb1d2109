import type { Measures } from './metrics/measures.ts';
import type { ScriptClass } from './script.ts';

/** One figure of a table, and what it should be: of ours as it ships, and with a predictor of d′ 2.9. */
export interface Column {
  readonly name: string;
  readonly unit: 's' | '%' | 'n';
  readonly of: (m: Measures) => number | undefined;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** The most it may be with the better predictor, where that has a goal of its own. */
  readonly atMostWithModel?: number;
}

/** One table: some classes of scripts and what is asked of them. */
export interface View {
  readonly title: string;
  readonly classes: readonly ScriptClass[];
  /** Not asked of peers, who stand for their turn-taking only. */
  readonly oursOnly?: boolean;
  readonly columns: readonly Column[];
}

type Goal = Pick<Column, 'atMost' | 'atLeast' | 'atMostWithModel'>;

const quantile = (name: string, sample: string, q: number, goal: Goal = {}): Column => ({
  name: `${name} p${q * 100}`,
  unit: 's',
  of: (m) => {
    const ms = m.quantile(sample, q);
    return ms === undefined ? undefined : ms / 1000;
  },
  ...goal,
});

const share = (name: string, part: string, whole: string, goal: Goal = {}): Column => ({
  name,
  unit: '%',
  of: (m) => {
    const value = m.share(part, whole);
    return value === undefined ? undefined : 100 * value;
  },
  ...goal,
});

/** The share that is not in the part. */
function rest(name: string, part: string, whole: string, goal: Goal = {}): Column {
  const column = share(name, part, whole, goal);
  const of = (m: Measures) => 100 - (column.of(m) ?? Number.NaN);
  return { ...column, of: (m) => (m.get(whole) === 0 ? undefined : of(m)) };
}

const count = (name: string, of: string, goal: Goal = {}): Column => ({
  name,
  unit: 'n',
  // An engine of which it is not known has no count of it.
  of: (m) => m.counts[of],
  ...goal,
});

const mean = (name: string, of: string): Column => ({
  name,
  unit: 's',
  of: (m) => {
    const ms = m.mean(of);
    return ms === undefined ? undefined : ms / 1000;
  },
});

const NONE = { atMost: 0 };
const cutIns = (name: string, label = '', goal: Goal = {}) =>
  share(name, `cut-ins${label}`, `pauses${label}`, goal);
const lost = (name: string, label = '', goal: Goal = {}) =>
  share(name, `lost replies${label}`, `overlaps${label}`, goal);
const answered = (name: string, label = '', goal: Goal = {}) =>
  rest(name, `missed turns${label}`, `turns${label}`, goal);
const resume = quantile('resume', 'resume gap', 0.95, { atMost: 0.8 });
const penalty = mean('time lost', 'penalty');

export const VIEWS: readonly View[] = [
  {
    title: 'all plain turns (clean, pauses, numbers)',
    classes: ['clean', 'pauses', 'numbers'],
    columns: [
      quantile('gap', 'gap', 0.5, { atMost: 0.95 }),
      quantile('gap', 'gap', 0.95, { atMost: 1.8 }),
      quantile('with cut turns', 'gap with cut turns', 0.5),
      quantile('with cut turns', 'gap with cut turns', 0.95),
      cutIns('cut-ins / pause', '', { atMost: 2.5, atMostWithModel: 1.2 }),
      share('cut-ins / turn', 'cut-ins', 'turns'),
      share('silent / pause', 'silent cut-ins', 'pauses'),
      share('missed', 'missed turns', 'turns'),
      count('doubles', 'double responses', NONE),
      count('dead air', 'dead air', NONE),
    ],
  },
  {
    title: 'clean: turns without a pause',
    classes: ['clean'],
    columns: [
      quantile('gap', 'gap', 0.5),
      quantile('gap', 'gap', 0.95),
      quantile('first hand', 'gap/first hand', 0.5),
      quantile('never seen', 'gap/never seen', 0.5),
      quantile('never seen', 'gap/never seen', 0.95),
    ],
  },
  {
    title: 'pauses: audible cut-ins per pause, by the full stops a recogniser writes there',
    classes: ['pauses'],
    columns: [
      cutIns('all'),
      cutIns('no marks', '/no punctuation'),
      cutIns('stops 25 %', '/full stops 0.25'),
      cutIns('stops 60 %', '/full stops 0.6'),
      cutIns('stops 90 %', '/full stops 0.9'),
      cutIns('first hand', '/first hand'),
      cutIns('never seen', '/never seen'),
      share('per turn', 'cut-ins', 'turns'),
      quantile('gap', 'gap', 0.5),
      quantile('gap', 'gap', 0.95),
    ],
  },
  {
    title: 'numbers: values dictated in groups',
    classes: ['numbers'],
    columns: [
      cutIns('cut-ins / pause', '', { atMost: 1 }),
      share('cut-ins / turn', 'cut-ins', 'turns'),
      quantile('gap', 'gap', 0.5),
      quantile('gap', 'gap', 0.95),
      quantile('with cut turns', 'gap with cut turns', 0.95),
    ],
  },
  {
    title: 'barge-ins',
    classes: ['barge-ins'],
    columns: [
      share('missed', 'missed barge-ins', 'interruptions', { atMost: 1 }),
      share('soft missed', 'missed barge-ins/soft voice', 'interruptions/soft voice', NONE),
      quantile('stop', 'stop, voice', 0.5, { atMost: 0.2 }),
      quantile('stop', 'stop, voice', 0.95, { atMost: 0.55 }),
      quantile('soft stop', 'stop, voice/soft voice', 0.95),
      quantile('two words', 'stop, words', 0.5),
      quantile('from content', 'stop from content, voice', 0.95),
      penalty,
      rest('answered', 'missed turns', 'turns'),
    ],
  },
  {
    title: 'backchannels over a reply',
    classes: ['backchannels'],
    columns: [
      lost('lost'),
      lost('in our lists', '/in our lists', { atMost: 2 }),
      lost('in none', '/in no list of ours', { atMost: 15 }),
      lost('first hand', '/first hand'),
      lost('never seen', '/never seen'),
      share('holds', 'holds', 'overlaps'),
      resume,
      penalty,
    ],
  },
  {
    title: 'noises over a reply, or before it',
    classes: ['noises'],
    columns: [
      lost('lost', '', { atMost: 2 }),
      share('holds', 'holds', 'overlaps'),
      resume,
      penalty,
    ],
  },
  {
    title: 'side talk over a reply',
    classes: ['side-talk'],
    columns: [
      lost('15 dB below', '/15 dB below', { atMost: 10 }),
      lost('near', '/near', { atMost: 35 }),
      share('holds', 'holds', 'overlaps'),
      resume,
      penalty,
    ],
  },
  {
    title: 'echo of the assistant, by what the voice tells of its words',
    classes: ['echo'],
    columns: [
      lost('word times', '/word times', { atMost: 3 }),
      lost('no word times', '/no word times', { atMost: 3 }),
      share('holds', 'holds', 'overlaps'),
      resume,
    ],
  },
  {
    title: 'a television, dB below the caller',
    classes: ['television'],
    columns: [
      answered('answered at 8', '/8 dB below', { atLeast: 80 }),
      answered('at 15', '/15 dB below', { atLeast: 98 }),
      answered('at 20', '/20 dB below', { atLeast: 98 }),
      answered('at 25', '/25 dB below', { atLeast: 98 }),
      answered('at 30', '/30 dB below', { atLeast: 98 }),
      quantile('gap', 'gap', 0.5),
      lost('replies lost'),
      count('dead air', 'dead air'),
    ],
  },
  {
    title: 'slow voices',
    classes: ['slow-voices'],
    columns: [
      answered('answered', '', { atLeast: 100 }),
      quantile('gap', 'gap', 0.5),
      quantile('gap', 'gap', 0.95),
      count('doubles', 'double responses', NONE),
      count('dead air', 'dead air', NONE),
    ],
  },
  {
    title: 'voices that stall after their first sound, in every reply',
    classes: ['stalled-voices'],
    oursOnly: true,
    columns: [
      share('left open and mute', 'stalling calls left open', 'stalling calls', NONE),
      count('doubles', 'double responses', NONE),
      count('dead air', 'dead air', NONE),
    ],
  },
  {
    title: 'the caller speaks before the welcome sounds',
    classes: ['welcome-races'],
    columns: [
      answered('requests answered', '/request', { atLeast: 100 }),
      answered('greetings answered', '/greeting', { atLeast: 100 }),
      quantile('gap', 'gap', 0.5),
      quantile('gap', 'gap', 0.95),
      count('dead air', 'dead air', NONE),
    ],
  },
  {
    title: 'late and odd recognisers',
    classes: ['recogniser'],
    columns: [
      quantile('gap', 'gap', 0.5),
      quantile('gap', 'gap', 0.95),
      share('missed', 'missed turns', 'turns'),
      count('doubles', 'double responses', NONE),
      count('dead air', 'dead air'),
    ],
  },
  {
    title: 'idle messages, say, keys, tools, transfers, failures, hang-ups',
    classes: ['control'],
    oursOnly: true,
    columns: [
      quantile('gap, tools', 'gap/tools', 0.5),
      count('tools twice', 'duplicate tools', NONE),
      count('wrong idle', 'wrong idle', NONE),
      count('missing idle', 'missing idle', NONE),
      count('dead air', 'dead air', NONE),
    ],
  },
  {
    title: 'the record and the rest, all classes but the television',
    classes: [
      'clean',
      'pauses',
      'numbers',
      'barge-ins',
      'backchannels',
      'noises',
      'side-talk',
      'echo',
      'slow-voices',
      'stalled-voices',
      'welcome-races',
      'recogniser',
      'control',
      'goldens',
    ],
    oursOnly: true,
    columns: [
      count('heard missing', 'heard words missing', NONE),
      count('unheard written', 'unheard words written', NONE),
      count('missing, no times', 'heard words missing (no word times)'),
      count('unheard, no times', 'unheard words written (no word times)'),
      count('doubles', 'double responses', NONE),
      count('stuck', 'stuck', NONE),
      count('dead air', 'dead air', NONE),
      share('adopted', 'drafts adopted', 'drafts', { atLeast: 60 }),
      {
        name: 'extra calls',
        unit: '%',
        of: (m) => {
          const used = m.get('plain model calls') + m.get('drafts adopted');
          return used === 0
            ? undefined
            : (100 * (m.get('drafts') - m.get('drafts adopted'))) / used;
        },
        atMost: 40,
      },
      share('replays equal', 'replays equal', 'replays', { atLeast: 100 }),
    ],
  },
];
