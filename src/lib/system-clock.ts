import { performance } from 'node:perf_hooks';
import type { Clock } from '../ports/clock.ts';

// Constant, and slow to ask for.
const { timeOrigin } = performance;

/** The machine's own time. Built on the monotonic counter, so that a stepped wall clock cannot turn a call back. */
export const systemClock: Clock = {
  now: () => timeOrigin + performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
