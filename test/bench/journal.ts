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
import { markdownTable } from './markdown-table.ts';
import { spread, writeMeasured } from './measured.ts';
import { type Quantiles, quantiles } from './quantiles.ts';

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

/** What a database took from so many statements at once. */
interface Taken {
  readonly writers: number;
  readonly recordsPerSecond: number;
  readonly statementMs: Quantiles;
}

/** A database of its own, and calls whose journals are written as fast as it takes them. */
async function round(count: number, seconds: number): Promise<readonly Taken[]> {
  const bin = installedServer();
  if (!bin) throw new Error('this bench needs a Postgres server in /usr/lib/postgresql');
  const { records } = recordedCalls();
  const server = await startPostgresServer(bin, { syncs: true });
  const database = await openDatabase({ databaseUrl: server.url('postgres') });
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
    const taken: Taken[] = [];
    for (const writers of WRITERS) {
      const startedAt = performance.now();
      const until = startedAt + (seconds * 1000) / WRITERS.length;
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
      const recordsPerSecond = (tookMs.length * Math.min(GROUP, count)) / elapsed;
      taken.push({ writers, recordsPerSecond, statementMs: quantiles(tookMs) });
    }
    return taken;
  } finally {
    await database.close();
    await server.stop();
  }
}

export const bench: Bench = {
  about:
    "journals of many calls against a Postgres server that syncs to disk: a service's own statements",
  async run({ calls: [count = CALLS] = [], seconds = SECONDS, ...options }) {
    const { linesPerSecond, recordsPerSecond } = recordedCalls();
    const rounds: (readonly Taken[])[] = [];
    while (rounds.length < options.rounds) {
      rounds.push(await round(count, seconds));
      console.table(rounds.at(-1)?.map(({ statementMs, ...one }) => ({ ...one, ...statementMs })));
    }
    const head = ['Statements at once', 'records a second', 'calls that write as much'];
    head.push('a statement, p50, ms', 'p99, ms');
    const rows = WRITERS.map((writers, i) => {
      const of = (read: (taken: Taken) => number) =>
        spread(rounds.map((taken) => read(taken[i] as Taken)));
      return [
        `${writers}`,
        of((one) => Math.round(one.recordsPerSecond)),
        of((one) => Math.round(one.recordsPerSecond / recordsPerSecond)),
        of(({ statementMs }) => statementMs.p50),
        of(({ statementMs }) => statementMs.p99),
      ];
    });
    const rate = [linesPerSecond, recordsPerSecond]
      .map((value) => value.toFixed(2))
      .join(' lines and ');
    const needed = Math.round(recordsPerSecond * count);
    const sentence = `A recorded call writes ${rate} records a second, so ${count} calls need ${needed} records a second.`;
    const table = `${sentence}\n\n${markdownTable([head, ...rows])}`;
    console.log(`\n${table}\n`);
    if (options.write) await writeMeasured('docs/scale.md', 'journal', table);
    return { rounds, linesPerSecond, recordsPerSecond };
  },
};
