import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { newCallId } from '../../src/lib/ids.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { JournalWriter } from '../../src/session/record/journal-writer.ts';
import { createCall } from '../../src/store/calls.ts';
import { openDatabase } from '../../src/store/database.ts';
import { GroupedRecords } from '../../src/store/grouped-records.ts';
import { createTeam } from '../../src/store/teams.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { readJournals } from '../support/journal-fixtures.ts';

export const WRITING_CALLS = 200;
const SECONDS = 20;
const TICK_MS = 20;
const COMMIT_EVERY_MS = 70;
/** A call that has a tool run, or dials, as often as this is a busy one. */
const EFFECT_EVERY_MS = 15_000;

/** Lines of recorded calls, over and over, each at its instant. */
class Writing {
  readonly journal: JournalWriter;
  readonly #lines: readonly JournalLine[];
  #next = 0;
  #seq = 0;
  #startedMs: number;
  #effectMs: number;

  constructor(journal: JournalWriter, lines: readonly JournalLine[], offsetMs: number) {
    this.journal = journal;
    this.#lines = lines;
    this.#startedMs = -offsetMs;
    this.#effectMs = offsetMs;
  }

  /** Writes what is due; resolves with how long an effect waited, if one is due. */
  async write(nowMs: number, hasEffects: boolean): Promise<number | undefined> {
    for (;;) {
      const line = this.#lines[this.#next] as JournalLine;
      if (line.at > nowMs - this.#startedMs) break;
      this.journal.append({ ...line, seq: this.#seq++ });
      this.#next = (this.#next + 1) % this.#lines.length;
      if (this.#next === 0) this.#startedMs = nowMs;
    }
    if (!hasEffects || nowMs < this.#effectMs) return undefined;
    this.#effectMs = nowMs + EFFECT_EVERY_MS;
    const data = { toolCallId: `t${this.#seq}`, name: 'book', arguments: {} };
    const at = Math.round(nowMs);
    this.journal.append({ seq: this.#seq++, at, kind: 'command', type: 'tool.invoke', data });
    const askedAt = performance.now();
    await this.journal.durable();
    return performance.now() - askedAt;
  }
}

async function run(databaseUrl: string, hasEffects: boolean) {
  const database = await openDatabase({ databaseUrl });
  const { db } = database;
  const records = new GroupedRecords({ db, clock: systemClock });
  const journals = readJournals().map(([, lines]) => lines);
  const { id: teamId } = await createTeam(db, { name: 'Bench' });
  const calls: Writing[] = [];
  for (let i = 0; i < WRITING_CALLS; i++) {
    const callId = newCallId('web');
    await createCall(db, {
      ...{ id: callId, teamId, callType: 'web', direction: 'inbound', snapshot: callSnapshot },
    });
    const journal = new JournalWriter({
      ...{ callId, clock: systemClock, onRetry: console.warn, onTaken: () => undefined },
      store: {
        write: (batch) => records.write({ ...batch, teamId }),
        hurry: () => records.hurry(callId),
      },
      onLost: async () => undefined,
    });
    calls.push(
      new Writing(
        journal,
        journals[i % journals.length] ?? [],
        (i * EFFECT_EVERY_MS) / WRITING_CALLS,
      ),
    );
  }
  const waits: Promise<number | undefined>[] = [];
  const startedAt = performance.now();
  const before = process.cpuUsage();
  for (let at = 0; at < SECONDS * 1000; at = performance.now() - startedAt) {
    for (const call of calls) waits.push(call.write(at, hasEffects));
    await delay(TICK_MS);
  }
  const { user, system } = process.cpuUsage(before);
  const elapsedMs = performance.now() - startedAt;
  for (const { journal } of calls) await journal.close();
  await database.close();
  const waitedMs = (await Promise.all(waits)).filter((ms) => ms !== undefined);
  return { cpuShare: (user + system) / 1000 / elapsedMs, waitedMs };
}

/** How long a transaction of one small row takes meanwhile, ms: what the database and its disk need at least. */
async function timeCommits(databaseUrl: string, signal: AbortSignal): Promise<readonly number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('create table bench_commits (at double precision)');
  const tookMs: number[] = [];
  while (!signal.aborted) {
    const from = performance.now();
    await client.query('insert into bench_commits values ($1)', [from]);
    tookMs.push(performance.now() - from);
    await delay(COMMIT_EVERY_MS);
  }
  await client.end();
  return tookMs;
}

/**
 * What it costs to store a line before its effect: 200 calls' journals against a Postgres that syncs to disk, with an
 * effect of each every 15 s and without. Shares are of one core, those of the writing process.
 */
export async function writeAhead(databaseUrl: string) {
  const without = await run(databaseUrl, false);
  const over = new AbortController();
  const commits = timeCommits(databaseUrl, over.signal);
  const ahead = await run(databaseUrl, true).finally(() => over.abort());
  return {
    without: without.cpuShare,
    ahead: ahead.cpuShare,
    waitedMs: ahead.waitedMs,
    commitMs: await commits,
  };
}
