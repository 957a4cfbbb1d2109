import { newCallId } from '../../src/lib/ids.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { type CallRecords, writeCallRecords } from '../../src/store/call-records.ts';
import { createCall } from '../../src/store/calls.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createTeam } from '../../src/store/teams.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { readJournals } from '../support/journal-fixtures.ts';
import { installedServer, startPostgresServer } from '../support/postgres-server.ts';
import type { Bench } from './main.ts';
import { quantiles } from './quantiles.ts';

const CALLS = 10_000;
const SECONDS = 40;
/** As in the service: the lines of so many ms of a call are one record, those of so many calls one statement. */
const GATHER_MS = 100;
const GROUP = 64;
/** Statements at once, as of so many processes. */
const WRITERS = [1, 4, 8, 16];

/** The recorded calls, cut into the records that a live call writes one after the other. */
function recordedCalls() {
  const journals = readJournals().map(([, lines]) => lines);
  const records = journals.map((lines) => {
    const groups = Map.groupBy(lines, ({ at }) => Math.floor(at / GATHER_MS));
    return [...groups.values()];
  });
  const seconds = journals.reduce((sum, lines) => sum + (lines.at(-1)?.at ?? 0) / 1000, 0);
  const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0);
  return {
    records,
    linesPerSecond: sum(journals.map(({ length }) => length)) / seconds,
    recordsPerSecond: sum(records.map(({ length }) => length)) / seconds,
  };
}

/** A call that writes the records of recorded ones, over and over. */
class WritingCall {
  readonly callId = newCallId('web');
  readonly #teamId: string;
  readonly #records: readonly (readonly JournalLine[])[];
  #next = 0;
  #seq = 0;

  constructor(teamId: string, records: readonly (readonly JournalLine[])[]) {
    this.#teamId = teamId;
    this.#records = records;
  }

  next(): CallRecords {
    const lines = this.#records[this.#next++ % this.#records.length] ?? [];
    return {
      teamId: this.#teamId,
      callId: this.callId,
      lines: lines.map((line) => ({ ...line, seq: this.#seq++ })),
      messages: [],
      turns: [],
    };
  }
}

export const bench: Bench = {
  about:
    "journals of many calls against a Postgres server that syncs to disk: a service's own statements",
  async run({ calls: [count = CALLS] = [], seconds = SECONDS }) {
    const bin = installedServer();
    if (!bin) throw new Error('this bench needs a Postgres server in /usr/lib/postgresql');
    const { records, linesPerSecond, recordsPerSecond } = recordedCalls();
    const server = await startPostgresServer(bin, { syncs: true });
    const database = await openDatabase({ databaseUrl: server.url('postgres') });
    const rows = [];
    try {
      const { db } = database;
      const { id: teamId } = await createTeam(db, { name: 'Bench' });
      const calls = Array.from(
        { length: count },
        (_, i) => new WritingCall(teamId, records[i % records.length] ?? []),
      );
      for (const { callId: id } of calls)
        await createCall(db, {
          id,
          teamId,
          callType: 'web',
          direction: 'inbound',
          snapshot: callSnapshot,
        });
      for (const writers of WRITERS) {
        const until = performance.now() + (seconds * 1000) / WRITERS.length;
        const startedAt = performance.now();
        const tookMs: number[] = [];
        let next = 0;
        const write = async () => {
          while (performance.now() < until) {
            const group = Array.from({ length: Math.min(GROUP, count) }, () =>
              (calls[next++ % count] as WritingCall).next(),
            );
            const begunAt = performance.now();
            await writeCallRecords(db, group);
            tookMs.push(performance.now() - begunAt);
          }
        };
        await Promise.all(Array.from({ length: writers }, write));
        const elapsed = (performance.now() - startedAt) / 1000;
        const perSecond = (tookMs.length * Math.min(GROUP, count)) / elapsed;
        const { p50, p99 } = quantiles(tookMs);
        rows.push({
          'statements at once': writers,
          'records a second': Math.round(perSecond),
          'calls that write as much': Math.round(perSecond / recordsPerSecond),
          'a statement p50, ms': p50,
          'p99, ms': p99,
        });
        console.table(rows);
      }
    } finally {
      await database.close();
      await server.stop();
    }
    const rate = {
      'lines a call-second': Math.round(linesPerSecond * 100) / 100,
      'records a call-second': Math.round(recordsPerSecond * 100) / 100,
      [`records a second of ${count} calls`]: Math.round(recordsPerSecond * count),
    };
    console.table([rate]);
    return { rows, ...rate };
  },
};
