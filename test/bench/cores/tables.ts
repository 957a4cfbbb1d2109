import { markdownTable } from '../markdown-table.ts';
import type { Curve, Refusals, Room } from './questions.ts';
import type { Tail } from './recording.ts';

/** From so many calls on `npm run bench -- journal` found the journals' Postgres busy (docs/scale.md). */
const POSTGRES_CALLS = 26_600;
/** Of all cores: from here on threads wait for one. */
const CORES_ARE_FULL = 0.85;

const ms = (value: number) => `${Number(value.toFixed(value < 10 ? 1 : 0))}`;
const tail = ({ p50, p99, p999 }: Tail) => [p50, p99, p999].map(ms).join(', ');
const percent = (share: number) => `${Math.round(100 * share)}`;

/** How far a simulated tail is from the measured one. */
const off = (simulated: number, measured: number) => {
  const by = Math.round((simulated / measured - 1) * 100);
  return `${by > 0 ? '+' : ''}${by} %`;
};

export function curveTable(curve: readonly Curve[]): string {
  const head = [
    ...['Calls on one core', 'measured p50, p99, p99.9, ms', 'simulated, ms', 'p99 off by'],
    ...['foretold from fewer calls, ms', 'p99 off by', 'simulated on a host half as fast, ms'],
  ];
  const rows = curve.map(({ calls, measured, simulated, foretold, onSlowHost }) => {
    const own = measured?.replyOwnMs;
    return [
      `${calls}`,
      own ? tail(own) : '',
      tail(simulated),
      own ? off(simulated.p99, own.p99) : '',
      foretold ? tail(foretold) : '',
      own && foretold ? off(foretold.p99, own.p99) : '',
      tail(onSlowHost),
    ];
  });
  return markdownTable([head, ...rows]);
}

/** What ends the room of a machine first. */
function firstLimit({ calls, coresUsed }: Room): string {
  if (calls > POSTGRES_CALLS) return 'one Postgres, before the replies';
  return coresUsed > CORES_ARE_FULL ? 'cores: threads wait for one' : 'the thread of each process';
}

export function roomTable(rooms: readonly Room[]): string {
  const head = [
    ...['Cores and processes', 'replies within, in 99 of 100', 'calls', 'p50, p99, p99.9, ms'],
    ...['cores used, %', 'busiest thread, %', 'most calls in one process', 'what comes first'],
  ];
  const rows = rooms.map((room) => [
    `${room.cores}`,
    `${room.goalMs} ms`,
    `${room.calls}`,
    tail(room.replyMs),
    percent(room.coresUsed),
    percent(room.threadUsed),
    `${room.fullest}`,
    firstLimit(room),
  ]);
  return markdownTable([head, ...rows]);
}

export function refusalsTable(refusals: readonly Refusals[]): string {
  const head = [
    ...['`MAX_LAG_MS`', 'calls taken', 'p50, p99, p99.9, ms', 'thread used, %'],
    ...['on a host half as fast: calls', 'p50, p99, p99.9, ms'],
  ];
  const rows = refusals.map(({ maxLagMs, asIs, onSlowHost }) => [
    `${maxLagMs}`,
    `${asIs.calls}`,
    tail(asIs.replyMs),
    percent(asIs.threadUsed),
    `${onSlowHost.calls}`,
    tail(onSlowHost.replyMs),
  ]);
  return markdownTable([head, ...rows]);
}
