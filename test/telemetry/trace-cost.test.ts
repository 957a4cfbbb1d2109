import { expect, test } from 'vitest';
import { toOtlpJson } from '../../src/telemetry/trace/otlp.ts';
import { spansOf } from '../../src/telemetry/trace/spans-of.ts';
import { readJournals } from '../support/journal-fixtures.ts';

/** CPU time that a second of a call takes at the least, by the README's table. */
const CALL_MS_A_SECOND = 3.1;
const MOST_SHARE = 0.02;
const ROUNDS = 5;

/** Reads all journals and makes their traces; returns how many seconds the calls have taken. */
function trace(): number {
  let seconds = 0;
  for (const [, lines] of readJournals()) {
    expect(toOtlpJson(spansOf(lines), {}).length).toBeGreaterThan(100);
    seconds += ((lines.at(-1)?.at ?? 0) - (lines[0]?.at ?? 0)) / 1000;
  }
  return seconds;
}

test('to make and encode the trace of a call takes less than a fiftieth of what the call has taken', () => {
  // The first rounds are for the compiler.
  for (let round = 0; round < ROUNDS; round++) trace();
  const before = process.threadCpuUsage();
  let seconds = 0;
  for (let round = 0; round < ROUNDS; round++) seconds += trace();
  const { user, system } = process.threadCpuUsage(before);
  expect(seconds).toBeGreaterThan(1000);
  const share = (user + system) / 1000 / (seconds * CALL_MS_A_SECOND);
  expect(share).toBeLessThan(MOST_SHARE);
});
