import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { LoopTurns } from '../calls/messages.ts';

/** What one process did at a number of calls, its thread of the calls on a core of its own, and how that felt. */
export interface Recording {
  readonly calls: number;
  readonly seconds: number;
  /** When work came to the thread of the calls, ms from the start, in order; and how much each time, ms, collections apart. */
  readonly workAt: readonly number[];
  readonly workMs: readonly number[];
  /** What each collection took of that thread, ms. */
  readonly collectionsMs: readonly number[];
  /** CPU of the thread of the calls, as the system counts it: what is noted of its turns should be about that. */
  readonly threadCpuMsPerCallSecond: number;
  /** CPU of the process's other threads, and of its database, ms a call-second. */
  readonly helpersMsPerCallSecond: number;
  readonly databaseMsPerCallSecond: number;
  /** What a call takes of the thread until it talks, ms. */
  readonly startMs: number;
  /** What callers heard: the time added to a reply, and the part of it that is the service's, ms. */
  readonly measured: {
    readonly replies: number;
    readonly replyMs: Tail;
    readonly replyOwnMs: Tail;
  };
}

export interface Tail {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

/** Turns that lie closer had no pause between them. */
const PAUSE_MS = 0.05;

/**
 * When the work of each turn came, and how much it was without the collections in it. What a turn does that follows another one
 * without a pause came while that one ran: in the middle of it, on average.
 */
export function arrivalsOf({
  endedAt,
  activeMs,
  collections,
}: LoopTurns): Pick<Recording, 'workAt' | 'workMs'> {
  const workAt: number[] = [];
  const workMs: number[] = [];
  const from = (endedAt[0] ?? 0) - (activeMs[0] ?? 0);
  let next = 0;
  for (let n = 0; n < endedAt.length; n++) {
    const end = endedAt[n] as number;
    const active = activeMs[n] as number;
    const begin = end - active;
    let collectedMs = 0;
    for (; next < collections.length; next++) {
      const one = collections[next] as LoopTurns['collections'][number];
      if (one.endedAt > end) break;
      if (one.endedAt > begin) collectedMs += one.ms;
    }
    const isNextToLast = n > 0 && begin - (endedAt[n - 1] as number) < PAUSE_MS;
    const came = isNextToLast ? begin - (activeMs[n - 1] as number) / 2 : begin;
    workAt.push(Math.max(came - from, workAt.at(-1) ?? 0));
    workMs.push(Math.max(0, active - collectedMs));
  }
  return { workAt, workMs };
}

/** All time of the thread of the calls by what was noted of its turns, ms a call-second. */
export function threadMsPerCallSecond({ calls, seconds, workMs, collectionsMs }: Recording) {
  const sum = (values: readonly number[]) => values.reduce((total, ms) => total + ms, 0);
  return (sum(workMs) + sum(collectionsMs)) / (calls * seconds);
}

const whole = (values: readonly number[]) => values.map((ms) => Math.round(ms * 1000));

/** Keeps recordings in a file: JSON, times of the loop in whole µs, gzip. */
export async function writeRecordings(
  file: string,
  recordings: readonly Recording[],
): Promise<void> {
  const kept = recordings.map((one) => ({
    ...one,
    workAt: whole(one.workAt).map((at, n, all) => at - (all[n - 1] ?? 0)),
    workMs: whole(one.workMs),
    collectionsMs: whole(one.collectionsMs),
  }));
  await writeFile(file, gzipSync(JSON.stringify(kept)));
}

export async function readRecordings(file: string): Promise<readonly Recording[]> {
  const kept = JSON.parse(gunzipSync(await readFile(file)).toString()) as Recording[];
  return kept.map((one) => {
    let at = 0;
    const since = (us: number) => {
      at += us;
      return at / 1000;
    };
    return {
      ...one,
      workAt: one.workAt.map(since),
      workMs: one.workMs.map((us) => us / 1000),
      collectionsMs: one.collectionsMs.map((us) => us / 1000),
    };
  });
}
