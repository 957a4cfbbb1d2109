import { constants, type PerformanceNodeEntry, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { trimAllocator } from '../../src/lib/trim-allocator.ts';
import { EARLY_COLLECTION, FULL_COLLECTION, setFlags } from '../../src/service/heap-flags.ts';

// A process that says what trimming gives back of 80 MiB of which every fortieth piece is still in use, and how often its
// whole heap is collected while little is allocated: as V8 likes, and as it is told to. Needs --expose-gc.

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
const ballast = Array.from({ length: 1_000_000 }, (_, i) => ({ i }));
collectAll();
// Until the observer has been told of it.
await delay(50);
const before = await allocate();
setFlags(EARLY_COLLECTION);
const after = await allocate();
setFlags(FULL_COLLECTION);

process.stdout.write(
  JSON.stringify({ before, after, isTrimmed, trimmedMib, live: [pieces.length, ballast.length] }),
);
process.exit();
