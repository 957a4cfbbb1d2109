import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ManualClock } from './manual-clock.ts';

const STEP_MS = 200;
const TURNS = 12;

/** Lets virtual time pass no faster than real connections can answer their pings. */
export async function advanceLive(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await clock.advance(Math.min(STEP_MS, ms - passed));
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  }
}
