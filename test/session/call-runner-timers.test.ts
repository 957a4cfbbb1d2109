import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Call } from '../../src/engine/machine/call.ts';
import type { StampedCommand } from '../../src/engine/machine/commands.ts';
import { restoreCall } from '../../src/engine/machine/replay.ts';
import { finish } from '../../src/lib/steps.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { CallRunner } from '../../src/session/call-runner.ts';
import { createdLine } from '../../src/session/record/created-line.ts';
import type { SessionInit } from '../../src/session/session-parts.ts';
import { callSettings } from '../support/call-settings.ts';
import { ManualClock } from '../support/manual-clock.ts';

const settings = callSettings({
  idle: { timeoutMs: 5000, maxMessages: 1, messages: ['Still there?'] },
  welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
});

function setUp(run: (command: StampedCommand, loop: CallRunner) => void = () => undefined) {
  const clock = new ManualClock(1000);
  const lines: JournalLine[] = [createdLine({ callId: 'c1', settings } as SessionInit, 1000)];
  const crashes: unknown[] = [];
  const loop: CallRunner = new CallRunner({
    clock,
    call: new Call({ settings }),
    startedAtMs: clock.now(),
    append: (line) => void lines.push(line),
    run: (command) => run(command, loop),
    onCrash: (error) => void crashes.push(error),
  });
  return { clock, loop, lines, crashes };
}

test('the first line tells when the call began, and of every line its number and instant follow', async () => {
  const { clock, loop, lines } = setUp();
  expect(lines[0]).toMatchObject({ seq: 0, at: 0, kind: 'note', type: 'call.created' });
  loop.send({ type: 'leg.answered' });
  await clock.advance(250);
  loop.send({ type: 'vad.start', onsetAt: 100 });
  await turnOfTheLoop();
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, i) => i));
  expect(lines.find(({ type }) => type === 'vad.start')?.at).toBe(250);
  expect(loop.now()).toBe(250);
  expect(loop.at(900)).toBe(0);
  loop.stop();
});

test('the call’s own timers fire in time, and one is set at a time', async () => {
  const { clock, loop, lines } = setUp();
  loop.send({ type: 'leg.answered' });
  await clock.advance(4999);
  expect(lines.some(({ type }) => type === 'tts.start')).toBe(false);
  await clock.advance(2);
  expect(lines.find(({ type }) => type === 'tts.start')?.at).toBe(5000);
  loop.stop();
  expect(clock.nextDueAt()).toBeUndefined();
});

test('an event that a command leads to waits for the other commands of its own event', async () => {
  const { loop, lines } = setUp(({ type }, own) => {
    if (type === 'state') own.send({ type: 'stt.ready' });
  });
  loop.send({ type: 'leg.answered' });
  loop.send({ type: 'vad.start', onsetAt: 0 });
  await turnOfTheLoop();
  const types = lines.map(({ kind, type }) => `${kind} ${type}`);
  const at = types.indexOf('event stt.ready');
  expect(at).toBeGreaterThan(types.indexOf('command state'));
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, i) => i));
  loop.stop();
});

test('whoever asks gets the commands of their own event, and none of a call that is over', async () => {
  const { loop } = setUp();
  loop.send({ type: 'leg.answered' });
  const answer = await loop.ask({ type: 'control.say', text: 'Hello?' });
  expect(answer.map(({ type }) => type)).toContain('control.accepted');
  const open = loop.ask({ type: 'control.say', text: 'Hello?' });
  loop.stop();
  expect(await open).toEqual([]);
  expect(await loop.ask({ type: 'control.say', text: 'Hello?' })).toEqual([]);
});

test('a command that cannot be carried out is a crash, in a timer too, and the events go on', async () => {
  let breaks = true;
  const { clock, loop, crashes, lines } = setUp(({ type }) => {
    if (breaks && (type === 'state' || type === 'tts.start')) throw new Error(type);
  });
  loop.send({ type: 'leg.answered' });
  loop.send({ type: 'vad.start', onsetAt: 0 });
  await turnOfTheLoop();
  expect(crashes).toHaveLength(1);
  loop.send({ type: 'vad.stop', speechEndAt: 100 });
  await clock.advance(8000);
  expect(crashes.length).toBeGreaterThan(1);
  breaks = false;
  loop.send({ type: 'stt.ready' });
  await turnOfTheLoop();
  expect(lines.at(-1)?.type).toBe('stt.ready');
  loop.stop();
});

test('a call that is taken over goes on with the next number, and no earlier than its last line', async () => {
  const first = setUp();
  first.loop.send({ type: 'leg.answered' });
  await first.clock.advance(3000);
  first.loop.send({ type: 'vad.start', onsetAt: 2900 });
  await turnOfTheLoop();
  first.loop.stop();
  const last = first.lines.at(-1) as JournalLine;
  const restored = finish(restoreCall(first.lines));
  // The clock of this machine is two seconds behind that of the other.
  const clock = new ManualClock(2000);
  const lines: JournalLine[] = [];
  const loop = new CallRunner({
    clock,
    call: restored.call,
    startedAtMs: 1000,
    goesOn: restored,
    append: (line) => void lines.push(line),
    run: () => undefined,
    onCrash: (error) => {
      throw error;
    },
  });
  loop.note('taken.over', {});
  loop.sendAtLast({ type: 'process.lost' });
  await turnOfTheLoop();
  expect(lines[0]).toMatchObject({ seq: last.seq + 1, at: last.at, type: 'taken.over' });
  expect(lines[1]).toMatchObject({ seq: last.seq + 2, at: last.at, type: 'process.lost' });
  expect(loop.now()).toBe(last.at);
  loop.stop();
});

test('one that was stopped takes nothing more', async () => {
  const { clock, loop, lines } = setUp();
  loop.send({ type: 'leg.answered' });
  await turnOfTheLoop();
  const count = lines.length;
  loop.send({ type: 'vad.start', onsetAt: 0 });
  loop.stop();
  loop.send({ type: 'stt.ready' });
  await clock.advance(60_000);
  expect(lines).toHaveLength(count);
});

test('a note has the instant at which it is written, whatever was carried out before', async () => {
  const { clock, loop, lines } = setUp();
  loop.send({ type: 'leg.answered' });
  await clock.advance(1000);
  loop.note('late', {});
  expect(lines.at(-1)).toMatchObject({ at: 1000, kind: 'note', type: 'late' });
  loop.stop();
});

test('a note is no later than the first of the events that still wait', async () => {
  let now = 1000;
  const lines: JournalLine[] = [];
  const loop = new CallRunner({
    clock: { now: () => now, setTimeout: () => 0 as never, clearTimeout: () => undefined },
    call: new Call({ settings }),
    startedAtMs: 1000,
    append: (line) => void lines.push(line),
    run: () => undefined,
    onCrash: (error) => {
      throw error;
    },
  });
  loop.send({ type: 'leg.answered' });
  now = 1100;
  loop.send({ type: 'vad.start', onsetAt: 0 });
  now = 1200;
  loop.note('late', {});
  await turnOfTheLoop();
  expect(lines[0]).toMatchObject({ at: 0, type: 'late' });
  loop.stop();
});

test('whoever waits for an answer as the call ends gets none', async () => {
  const { loop } = setUp();
  const asked = Promise.race([
    loop.ask({ type: 'typed', text: 'Hello?' }),
    turnOfTheLoop().then(() => 'still waits'),
  ]);
  loop.stop();
  expect(await asked).toEqual([]);
});

test('a timer that fires too early is set again for the rest', async () => {
  let now = 0;
  const set: { readonly ms: number; readonly fire: () => void }[] = [];
  const loop = new CallRunner({
    clock: {
      now: () => now,
      setTimeout: (fire, ms) => set.push({ fire, ms }) as never,
      clearTimeout: () => undefined,
    },
    call: new Call({ settings }),
    startedAtMs: 0,
    append: () => undefined,
    run: () => undefined,
    onCrash: (error) => {
      throw error;
    },
  });
  loop.send({ type: 'leg.answered' });
  await turnOfTheLoop();
  expect(set.map(({ ms }) => ms)).toEqual([5000]);
  now = 4999;
  set[0]?.fire();
  expect(set.map(({ ms }) => ms)).toEqual([5000, 1]);
  loop.stop();
});

test('a command of a timer that cannot be carried out is a crash as well', async () => {
  const { clock, loop, crashes } = setUp(({ type }) => {
    if (type === 'tts.start') throw new Error('no voice');
  });
  loop.send({ type: 'leg.answered' });
  await clock.advance(5000);
  expect(crashes).toMatchObject([{ message: 'no voice' }]);
  loop.stop();
});
