import { tail } from '../calls/summary.ts';
import { spread } from '../measured.ts';
import type { Point } from './measure.ts';
import { addedMs } from './quality.ts';

/** One subject in one round. */
export interface Round {
  readonly few: Point;
  /** Of the search, the last one that was good; absent: none was searched for. */
  readonly most?: Point;
}

export interface Row {
  readonly about: string;
  readonly rounds: readonly Round[];
}

const HEAD = [
  '',
  'CPU ms a call-second',
  'calls a core',
  'CPU ms a call-second there',
  'reply p50, ms',
  'p99',
  'added there p99',
  'clear p50, ms',
  'p99',
  'MiB at rest',
  'MiB a call',
  'unanswered, %',
] as const;

/** Of each figure the middle round and the range; the first columns with a few calls, where nothing else is said. */
export function peersTable(rows: readonly Row[]): string {
  const cells = ({ about, rounds }: Row) => {
    const few = (figure: (point: Point) => number, digits = 0) =>
      spread(
        rounds.map((round) => figure(round.few)),
        digits,
      );
    const most = (figure: (point: Point, few: Point) => number, digits = 0) => {
      const found = rounds.flatMap((round) => (round.most ? [figure(round.most, round.few)] : []));
      return found.length > 0 ? spread(found, digits) : '–';
    };
    return [
      about,
      few((point) => point.cpuMsPerCallSecond, 1),
      most((point) => point.calls),
      most((point) => point.cpuMsPerCallSecond, 1),
      few((point) => point.replyMs.p50),
      few((point) => point.replyMs.p99),
      most((point, beside) => tail(addedMs(point, beside)).p99),
      few((point) => point.clearMs.p50),
      few((point) => point.clearMs.p99),
      few((point) => point.restMib),
      few((point) => point.mibPerCall, 1),
      few((point) => point.unansweredPercent, 1),
    ];
  };
  return [HEAD, HEAD.map(() => '---'), ...rows.map(cells)]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}
