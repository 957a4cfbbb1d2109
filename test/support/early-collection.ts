import { constants, type PerformanceNodeEntry, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { trimAllocator } from '../../src/lib/trim-allocator.ts';
import {
  compaction,
  EARLY_COLLECTION,
  FULL_COLLECTION,
  setFlags,
} from '../../src/service/heap-flags.ts';

// A process that says what trimming gives back of 80 MiB of which every fortieth piece is still in use, and how often its
// whole heap is collected while little is allocated: as V8 likes, and as it is told to; and what a collection gives back of
// pages that are partly free, once it compacts. Needs --expose-gc.

const PIECE_BYTES = 4000;
const PIECES = 20_000;
/** Enough for the young generation to be collected a few times. */
const ROUNDS = 100;

const { gc: collectAll = () => undefined } = globalThis as { gc?: () => void };
let collections = 0;
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries() as PerformanceNodeEntry[])
    if ((detail as { kind: number }).kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
}).observe({ entryTypes: ['gc'] });

async function allocate(): Promise<number> {
  collections = 0;
  let kept: object[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    kept = [...kept.slice(-20_000), ...Array.from({ length: 10_000 }, (_, i) => ({ i }))];
    await nextTurn();
  }
  return collections;
}

let pieces = Array.from({ length: PIECES }, () => Buffer.allocUnsafeSlow(PIECE_BYTES).fill(1));
pieces = pieces.filter((_, i) => i % 40 === 0);
collectAll();
await nextTurn();
const full = process.memoryUsage.rss();
const isTrimmed = await trimAllocator();
const trimmedMib = Math.round((full - process.memoryUsage.rss()) / 2 ** 20);

setFlags(FULL_COLLECTION);
let ballast = Array.from({ length: 1_000_000 }, (_, i) => ({ i }));
collectAll();
// Until the observer has been told of it.
await delay(50);
const before = await allocate();
setFlags(EARLY_COLLECTION);
const after = await allocate();

/** Bytes of the old generation that are in memory and not in use. */
function freeInPages(): number {
  const old = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
  return old ? old.physical_space_size - old.space_used_size : 0;
}

/** Until the whole heap has been collected three times. */
async function collect(): Promise<void> {
  let times = 0;
  for (let tries = 0; tries < 60 && times < 3; tries++) times += await allocate();
}

// Of all pages a third is free, which V8 leaves so, however often it collects.
ballast = ballast.filter((_, i) => i % 3 < 2);
await collect();
const loose = freeInPages();
setFlags(compaction(true));
await collect();
const compactMib = Math.round((loose - freeInPages()) / 2 ** 20);
setFlags(compaction(false));
setFlags(FULL_COLLECTION);

process.stdout.write(
  JSON.stringify({
    before,
    after,
    isTrimmed,
    trimmedMib,
    compactMib,
    live: [pieces.length, ballast.length],
  }),
);
process.exit();
