import { expect, test } from 'vitest';
import { CallHarness } from '../support/call-harness.ts';

const waiting = () =>
  new CallHarness({
    settings: { welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true } },
    model: () => 'All right, it is done.',
  }).answer();

/** How long a turn was waited for, from its end of speech to its commit. */
function waitedMs(call: CallHarness, end: number): number {
  const commits = call.of('transcript.live').filter(({ role, final }) => role === 'user' && final);
  return (commits.find(({ at }) => at > end)?.at ?? Number.NaN) - end;
}

/** What a plain turn waits, when nothing was learnt. */
function plainWait(): number {
  const call = waiting();
  const end = call.says(1000, 'Please book me a table.');
  call.runTo(9000);
  return waitedMs(call, end);
}

test('[N7] an answer that is talked into from its first moment is a cut-in', () => {
  const call = waiting();
  const end = call.says(1000, 'I want to book a table.');
  call.runTo(end + 10);
  const more = call.says(end + 660, 'for two people.');
  call.runTo(more + 9000);
  expect(waitedMs(call, more)).toBe(plainWait() + 250);
});

test('[N7] so is a long pause that was not the end, although its words might have been', () => {
  const call = waiting();
  let at = 1000;
  for (const text of ['Please book me a table', 'by the big window', 'on Friday night.'])
    at = call.says(at, text, { finalMs: 100 }) + 700;
  call.runTo(at + 8000);
  const last = call.says(at + 8000, 'Please book me a table.');
  call.runTo(last + 9000);
  expect(call.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
  expect(waitedMs(call, last)).toBe(plainWait() + 250);
});

test('[N7] pauses within a dictated value are expected', () => {
  const call = waiting();
  let at = 1000;
  for (const text of ['My order is 12', '34', '56', '78'])
    at = call.says(at, text, { finalMs: 100 }) + 900;
  call.runTo(at + 8000);
  const last = call.says(at + 8000, 'Please book me a table.');
  call.runTo(last + 9000);
  expect(waitedMs(call, last)).toBe(plainWait());
});
