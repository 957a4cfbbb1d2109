import { tail } from '../calls/summary.ts';
import { spread } from '../measured.ts';
import { type AbuseRound, type AbuseWindow, QUIET } from './round.ts';

const GOALS = { gapMs: 60, addedReplyMs: 20, memoryPercent: 10 };

const tenths = (value: number) => Math.round(value * 10) / 10;

const latenciesOf = (windows: readonly AbuseWindow[]) =>
  windows.flatMap(({ latencies }) => latencies);
const ownLatenciesOf = (windows: readonly AbuseWindow[]) =>
  windows.flatMap(({ ownLatencies }) => ownLatencies);
const gapOf = (windows: readonly AbuseWindow[]) =>
  Math.max(0, ...windows.map(({ gaps }) => gaps[0] ?? 0));
const longest = (windows: readonly AbuseWindow[]) =>
  Math.max(0, ...windows.map(({ stretchMs }) => stretchMs));

/** One window a row, for the terminal. */
export function windowRows({ windows }: AbuseRound) {
  return windows.map((one) => {
    const { n, p50, p99, max } = tail(one.latencies);
    const own = tail(one.ownLatencies);
    return {
      attack: one.attack,
      'worst gap': tenths(one.gaps[0] ?? 0),
      'gaps > 20': one.gaps.filter((ms) => ms > 20).length,
      'reply p50/p99/max': `${p50.toFixed(0)} / ${p99.toFixed(0)} / ${max.toFixed(0)}`,
      'of it ours': `${own.p50.toFixed(0)} / ${own.p99.toFixed(0)}`,
      'answered of asked': `${n} / ${one.asked}`,
      'loop p99': Math.round(one.loopP99Ms),
      'stretch, CPU': tenths(one.stretchMs),
      'callers late, max': tenths(one.callersLateMs),
      'service CPU, %': one.serviceCpuPercent,
      'attackers’ CPU, %': one.attackersCpuPercent,
      'rss MiB': one.rssMib,
      lost: one.lost.length,
    };
  });
}

/**
 * Each attack over all rounds. A window has some fifty replies, so that its p99 is one reply: what tells is how many of
 * all its replies are later than 99 of 100 without an attack.
 */
export function attackRows(rounds: readonly AbuseRound[]) {
  const windows = rounds.flatMap((round) => round.windows);
  const quietP99 = tail(latenciesOf(windows.filter(({ attack }) => attack === QUIET))).p99;
  const byAttack = Map.groupBy(windows, ({ attack }) => attack);
  return [...byAttack].map(([attack, own]) => {
    const latencies = latenciesOf(own);
    const { n, p50, p99, max } = tail(latencies);
    const late = latencies.filter((ms) => ms > quietP99).length;
    return {
      attack,
      'worst gap': tenths(gapOf(own)),
      replies: n,
      'p50/p99/max': `${p50.toFixed(0)} / ${p99.toFixed(0)} / ${max.toFixed(0)}`,
      'later than quiet p99, %': tenths((100 * late) / Math.max(1, n)),
      'stretch, CPU': tenths(longest(own)),
      'attackers’ CPU, %': Math.max(...own.map((one) => one.attackersCpuPercent)),
    };
  });
}

/**
 * The table of docs/security.md. Gaps and memory are the middle round's; replies are those of all rounds together.
 * In `control` nobody attacked.
 */
export function resultsTable(rounds: readonly AbuseRound[], control: AbuseRound): string {
  const isQuiet = ({ attack }: AbuseWindow) => attack === QUIET;
  const quiet = [...rounds, control].map(({ windows }) => windows.filter(isQuiet));
  const attacked = rounds.map(({ windows }) => windows.filter((one) => !isQuiet(one)));
  const inQuiet = tail(latenciesOf(quiet.flat()));
  const inAttack = tail(latenciesOf(attacked.flat()));
  const ownInQuiet = tail(ownLatenciesOf(quiet.flat()));
  const ownInAttack = tail(ownLatenciesOf(attacked.flat()));
  const memory = (pick: (of: AbuseRound['memoryMib']) => number) =>
    spread(rounds.map(({ memoryMib }) => pick(memoryMib)));
  const more = ({ before, after }: AbuseRound['memoryMib']) => (100 * after) / before - 100;
  const p99 = ({ p99: ms, n }: typeof inQuiet) => `${tenths(ms)} (of ${n} replies)`;
  const rows = [
    ['longest pause within a reply, ms', `${GOALS.gapMs}`, spread(attacked.map(gapOf))],
    ['the same without an attack', '', spread(quiet.map(gapOf))],
    ['reply p99, ms', '', p99(inAttack)],
    ['the same without an attack', '', p99(inQuiet)],
    ['more than without', `${GOALS.addedReplyMs}`, `${tenths(inAttack.p99 - inQuiet.p99)}`],
    ['of it the service’s, ms', '', `${tenths(ownInAttack.p99 - ownInQuiet.p99)}`],
    ['computed without a pause, CPU ms', '', spread(attacked.map(longest))],
    ['memory before, MiB', '', memory(({ before }) => before)],
    ['at the worst, MiB', '', memory(({ worst }) => worst)],
    ['a minute after, MiB', '', memory(({ after }) => after)],
    ['a minute after, more than before, %', `${GOALS.memoryPercent}`, memory(more)],
    ['the same where nobody attacked, %', '', `${tenths(more(control.memoryMib))}`],
    ['calls lost', '0', spread(rounds.map(lostIn))],
  ];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = [line(['', 'Goal, at most', `Measured, ${rounds.length} rounds`]), '|---|---|---|'];
  return [...head, ...rows.map(line)].join('\n');
}

/** A call that is lost stays so in the windows after. */
function lostIn({ windows }: AbuseRound): number {
  return Math.max(0, ...windows.map(({ lost }) => lost.length));
}
