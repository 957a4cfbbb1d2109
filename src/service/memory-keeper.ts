import { getHeapSpaceStatistics } from 'node:v8';
import { onCollection } from '../lib/collections.ts';
import { trimAllocator } from '../lib/trim-allocator.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import { compaction, EARLY_COLLECTION, FULL_COLLECTION, setFlags } from './heap-flags.ts';

/** What a process holds, bytes. */
interface Held {
  /** Used on the heap outside its young generation, and by buffers. */
  readonly oldBytes: number;
  /** In memory altogether. */
  readonly residentBytes: number;
  /** Whether less than half of the old generation's pages is used. */
  readonly isHollow: boolean;
}

/** What the keeper needs of the process. */
export interface HeldMemory {
  read(): Held;
  /** If true, V8 begins to mark the whole heap at its next chance, in small steps and on other threads. */
  setEarly(isEarly: boolean): void;
  /** If true, collections empty pages that are partly free, and give back what is free in the others. */
  setCompacting(isCompacting: boolean): void;
  /** Gives back what is free in the C library's allocator; false if that cannot be done here. */
  trim(): Promise<boolean>;
  /** Calls `listener` after each collection of the whole heap until the returned function is called. */
  onCollected(listener: () => void): () => void;
}

const CHECK_MS = 10_000;
/** Between two collections: each takes a tenth of a second, most of it on other threads. */
const COLLECT_EVERY_MS = 45_000;
/** Growth since the last collection that is worth one. */
const GROWN_BYTES = 12 * 1024 * 1024;
/** A rush is over when no more is left of what the process held at most, */
const LEFT_OF_RUSH = 4 / 5;
/** and what it holds has changed by no more than this from check to check, */
const STEADY_BYTES = 16 * 1024 * 1024;
/** for so long: while a rush goes on, memory that is given back is taken again. */
const STEADY_MS = 20_000;
/** A process that hardly allocates begins none; then V8 is left alone again. */
const EARLY_MS = 20_000;
const TRIM_EVERY_MS = 30_000;
/** Change since the last trimming that is worth another. */
const TRIM_BYTES = 8 * 1024 * 1024;
/** What a trimming has to give back for the next one to be worth it: memory is freed little by little after a rush. */
const TRIMMED_BYTES = 2 * 1024 * 1024;

/**
 * Gives back what memory a rush took, while calls go on. V8 by itself collects the whole heap when it has grown by a
 * third or holds 64 MiB more in buffers, and reduces memory only of a process with nothing to do; the C library keeps
 * what is free between pieces in use. Returns what ends it.
 */
export function keepMemoryLow(clock: Clock, memory: HeldMemory = ofThisProcess): () => void {
  let timer: Timer;
  let collected = { ...memory.read(), atMs: clock.now(), isHollow: false };
  let compacted = { atMs: clock.now(), peakBytes: 0 };
  let resident = { bytes: collected.residentBytes, steadySinceMs: clock.now() };
  let trimmed = { atMs: clock.now(), residentBytes: 0, gaveBack: 0 };
  let began: { readonly atMs: number; readonly compacts: boolean } | undefined;
  let canTrim = true;

  const begin = (atMs: number, compacts: boolean) => {
    began = { atMs, compacts };
    if (compacts) memory.setCompacting(true);
    memory.setEarly(true);
  };
  const leaveAlone = () => {
    if (began) memory.setEarly(false);
    if (began?.compacts) memory.setCompacting(false);
    began = undefined;
  };
  const collect = (now: number, { oldBytes, residentBytes }: Held) => {
    const peakBytes = Math.max(compacted.peakBytes, residentBytes);
    compacted = { ...compacted, peakBytes };
    const isSteady = Math.abs(residentBytes - resident.bytes) <= STEADY_BYTES;
    resident = { bytes: residentBytes, steadySinceMs: isSteady ? resident.steadySinceMs : now };
    if (began) {
      if (now - began.atMs >= EARLY_MS) leaveAlone();
      return;
    }
    const isDue = (last: { readonly atMs: number }) => now - last.atMs >= COLLECT_EVERY_MS;
    const isOver = collected.isHollow || residentBytes <= LEFT_OF_RUSH * peakBytes;
    const isAfterRush = isOver && now - resident.steadySinceMs >= STEADY_MS && isDue(compacted);
    const hasGrown = oldBytes - collected.oldBytes >= GROWN_BYTES && isDue(collected);
    // One that compacts holds the thread for 50 to 105 ms, and then the young generation grows anew: not during a rush.
    if (isAfterRush || hasGrown) begin(now, isAfterRush);
  };
  const trim = async (now: number, { residentBytes }: Held) => {
    // Less is worth it, too: what ended may have left pieces free everywhere.
    const isWorthIt =
      Math.abs(residentBytes - trimmed.residentBytes) >= TRIM_BYTES ||
      trimmed.gaveBack >= TRIMMED_BYTES;
    if (!canTrim || !isWorthIt || now - trimmed.atMs < TRIM_EVERY_MS) return;
    trimmed = { atMs: now, residentBytes, gaveBack: 0 };
    canTrim = await memory.trim();
    const left = memory.read().residentBytes;
    trimmed = { atMs: now, residentBytes: left, gaveBack: residentBytes - left };
  };
  const check = () => {
    const now = clock.now();
    const held = memory.read();
    collect(now, held);
    void trim(now, held);
    timer = clock.setTimeout(check, CHECK_MS);
  };
  const stopListening = memory.onCollected(() => {
    collected = { ...memory.read(), atMs: clock.now() };
    if (began?.compacts) compacted = { atMs: collected.atMs, peakBytes: 0 };
    leaveAlone();
  });
  timer = clock.setTimeout(check, CHECK_MS);
  return () => {
    stopListening();
    clock.clearTimeout(timer);
    leaveAlone();
  };
}

const ofThisProcess: HeldMemory = {
  read() {
    const { rss, external } = process.memoryUsage();
    const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => !/^new_/.test(name));
    const heapBytes = spaces.reduce((sum, space) => sum + space.space_used_size, 0);
    const old = spaces.find(({ space_name: name }) => name === 'old_space');
    const isHollow = !!old && old.space_used_size < old.physical_space_size / 2;
    return { oldBytes: heapBytes + external, residentBytes: rss, isHollow };
  },
  setEarly: (isEarly) => setFlags(isEarly ? EARLY_COLLECTION : FULL_COLLECTION),
  setCompacting: (isCompacting) => setFlags(compaction(isCompacting)),
  trim: trimAllocator,
  onCollected: (listener) =>
    onCollection((kind) => {
      if (kind === 'gc-major') listener();
    }),
};
