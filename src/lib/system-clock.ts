import { performance } from 'node:perf_hooks';
import type { Clock } from '../ports/clock.ts';

// It is constant, and reading it is slow.
const { timeOrigin } = performance;

/** Epoch time from the monotonic counter, so that an adjusted wall clock does not move a call back in time. */
export const systemClock: Clock = {
  now: () => timeOrigin + performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
