import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { trimAllocator } from '../../src/lib/trim-allocator.ts';
import { type HeldMemory, keepMemoryLow } from '../../src/service/memory-keeper.ts';
import { ManualClock } from '../support/manual-clock.ts';

const MIB = 1024 * 1024;

function kept({ canTrim = true } = {}) {
  const clock = new ManualClock(0);
  const held = { oldBytes: 80 * MIB, residentBytes: 300 * MIB, freeBytes: 0, isHollow: false };
  const early: boolean[] = [];
  const compacting: boolean[] = [];
  const trims: number[] = [];
  let collected = () => {};
  const memory: HeldMemory = {
    read: () => ({ ...held }),
    setEarly: (isEarly) => void early.push(isEarly),
    setCompacting: (isCompacting) => void compacting.push(isCompacting),
    async trim() {
      trims.push(clock.now());
      held.residentBytes -= held.freeBytes;
      held.freeBytes = 0;
      return canTrim;
    },
    onCollected(listener) {
      collected = listener;
      return () => {
        collected = () => {};
      };
    },
  };
  const stop = keepMemoryLow(clock, memory);
  return { clock, held, early, compacting, trims, stop, collect: () => collected() };
}

describe('memory of a process', () => {
  test('a heap that has grown is collected, three quarters of a minute after the last collection', async () => {
    const { clock, held, early, collect } = kept();
    held.oldBytes += 12 * MIB;
    await clock.advance(40_000);
    expect(early).toEqual([]);
    await clock.advance(10_000);
    expect(early).toEqual([true]);
    held.oldBytes -= 10 * MIB;
    collect();
    expect(early).toEqual([true, false]);
    await clock.advance(300_000);
    expect(early).toEqual([true, false]);
  });

  test('once a fifth of what a rush took is gone for twenty seconds, a collection compacts, the next one at the earliest after the next rush', async () => {
    const { clock, held, early, compacting, collect } = kept();
    await clock.advance(50_000);
    held.residentBytes = 500 * MIB;
    await clock.advance(10_000);
    held.residentBytes = 401 * MIB;
    await clock.advance(60_000);
    expect(compacting).toEqual([]);
    held.residentBytes = 400 * MIB;
    await clock.advance(10_000);
    expect([compacting, early]).toEqual([[true], [true]]);
    held.residentBytes = 350 * MIB;
    collect();
    expect([compacting, early]).toEqual([
      [true, false],
      [true, false],
    ]);
    await clock.advance(300_000);
    expect(compacting).toEqual([true, false]);
    held.residentBytes = 450 * MIB;
    await clock.advance(10_000);
    held.residentBytes = 350 * MIB;
    await clock.advance(20_000);
    expect(compacting).toEqual([true, false]);
    await clock.advance(10_000);
    expect(compacting).toEqual([true, false, true]);
  });

  test('a collection that leaves pages with little in them is followed by one that compacts', async () => {
    const { clock, held, compacting, collect } = kept();
    held.isHollow = true;
    await clock.advance(50_000);
    expect(compacting).toEqual([]);
    collect();
    await clock.advance(10_000);
    expect(compacting).toEqual([true]);
    held.isHollow = false;
    collect();
    await clock.advance(300_000);
    expect(compacting).toEqual([true, false]);
  });

  test('none compacts while memory is taken and given back, also if pages are hollow', async () => {
    const { clock, held, compacting, collect } = kept();
    await clock.advance(50_000);
    held.isHollow = true;
    for (let rush = 1; rush <= 10; rush++) {
      held.residentBytes = 600 * MIB;
      await clock.advance(10_000);
      held.residentBytes = 317 * MIB;
      collect();
      await clock.advance(10_000);
      held.residentBytes = 300 * MIB;
      await clock.advance(10_000);
    }
    expect(compacting).toEqual([]);
    held.residentBytes = 284 * MIB;
    await clock.advance(10_000);
    expect(compacting).toEqual([]);
    await clock.advance(10_000);
    expect(compacting).toEqual([true]);
  });

  test('two that compact are three quarters of a minute apart, also if pages stay hollow', async () => {
    const { clock, held, compacting, collect, stop } = kept();
    held.isHollow = true;
    collect();
    await clock.advance(50_000);
    collect();
    await clock.advance(40_000);
    expect(compacting).toEqual([true, false]);
    await clock.advance(10_000);
    expect(compacting).toEqual([true, false, true]);
    stop();
    expect(compacting).toEqual([true, false, true, false]);
  });

  test('a collection that V8 began by itself counts', async () => {
    const { clock, held, early, collect } = kept();
    held.oldBytes += 30 * MIB;
    await clock.advance(40_000);
    collect();
    held.oldBytes += 11 * MIB;
    await clock.advance(300_000);
    expect(early).toEqual([]);
  });

  test('a process in which none begins is left alone after twenty seconds, and at its end', async () => {
    const { clock, held, early, stop } = kept();
    held.oldBytes += 12 * MIB;
    await clock.advance(50_000);
    expect(early).toEqual([true]);
    await clock.advance(20_000);
    expect(early).toEqual([true, false]);
    await clock.advance(10_000);
    stop();
    expect(early).toEqual([true, false, true, false]);
  });

  test('the allocator is trimmed after growth, at most twice a minute', async () => {
    const { clock, held, trims } = kept();
    await clock.advance(300_000);
    expect(trims).toEqual([30_000]);
    held.residentBytes += 7 * MIB;
    await clock.advance(100_000);
    held.residentBytes += MIB;
    await clock.advance(10_000);
    held.residentBytes += 20 * MIB;
    await clock.advance(40_000);
    expect(trims).toEqual([30_000, 410_000, 440_000]);
    // What a rush took is gone, but for the pieces that are free in between.
    held.residentBytes -= 8 * MIB;
    await clock.advance(30_000);
    expect(trims.at(-1)).toBe(470_000);
  });

  test('it is trimmed again for as long as that gives something back', async () => {
    const { clock, held, trims } = kept();
    held.freeBytes = 20 * MIB;
    await clock.advance(30_000);
    held.freeBytes = 3 * MIB;
    await clock.advance(300_000);
    expect(trims).toEqual([30_000, 60_000, 90_000]);
  });

  test('where it cannot be trimmed, that is tried once', async () => {
    const { clock, held, trims } = kept({ canTrim: false });
    await clock.advance(60_000);
    held.residentBytes += 100 * MIB;
    await clock.advance(300_000);
    expect(trims).toEqual([30_000]);
  });
});

test('V8 collects the whole heap in steps when it is told to begin early, empties pages when it is told to, and the allocator gives back what is free', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    resolve(import.meta.dirname, '../support/early-collection.ts'),
  ]);
  const { before, after, isTrimmed, trimmedMib, compactMib } = JSON.parse(stdout);
  expect(after).toBeGreaterThan(before);
  expect(compactMib).toBeGreaterThan(5);
  if (isTrimmed) expect(trimmedMib).toBeGreaterThan(20);
  else expect(await trimAllocator()).toBe(false);
});
