import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Call } from '../../src/engine/machine/call.ts';
import type { StampedCommand } from '../../src/engine/machine/commands.ts';
import { type Checkpoint, restoreFrom } from '../../src/engine/machine/replay.ts';
import { finish } from '../../src/lib/steps.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { CallRunner, CHECKPOINT_LINES } from '../../src/session/call-runner.ts';
import { createdLine } from '../../src/session/record/created-line.ts';
import type { SessionInit } from '../../src/session/session-parts.ts';
import { callSettings } from '../support/call-settings.ts';
import { ManualClock } from '../support/manual-clock.ts';

const settings = callSettings({
  welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
  startSpeaking: {
    waitMs: 0,
    smartEndpointing: 'off',
    onPunctuationMs: 0,
    onNoPunctuationMs: 0,
    onNumberMs: 0,
    engineBaseMs: 0,
    engineScaleMs: 0,
  },
});

function rig() {
  const clock = new ManualClock();
  const commands: StampedCommand[] = [];
  const loop = new CallRunner({
    clock,
    call: new Call({ settings }),
    startedAtMs: clock.now(),
    append: () => undefined,
    run: (command) => commands.push(command),
    onCrash: (error) => {
      throw error;
    },
  });
  return { clock, loop, types: () => commands.map(({ type }) => type) };
}

test('what the machine sets for this very instant is done without a timer', async () => {
  const { clock, loop, types } = rig();
  loop.send({ type: 'leg.answered' });
  loop.send({ type: 'vad.start', onsetAt: 0 });
  await clock.advance(1000);
  loop.send({ type: 'vad.stop', speechEndAt: 800 });
  const said = { segId: '1', text: 'What are your hours?', startAt: 0, endAt: 800, conf: 1 };
  loop.send({ type: 'stt.final', ...said });
  // No time passes: the end of the turn, which is due at once, waits for none.
  await turnOfTheLoop();
  expect(types()).toContain('llm.start');
  expect(clock.nextDueAt()).toBeGreaterThan(clock.now());
});

test('one that was stopped keeps no timer', async () => {
  const { clock, loop } = rig();
  loop.send({ type: 'leg.answered' });
  await turnOfTheLoop();
  loop.stop();
  expect(clock.nextDueAt()).toBeUndefined();
});

test('an event that comes after the call’s last timer is neither written nor answered', async () => {
  let now = 0;
  const late = { now: () => now, setTimeout: () => 0 as never, clearTimeout: () => undefined };
  const types: string[] = [];
  const loop: CallRunner = new CallRunner({
    clock: late,
    call: new Call({ settings }),
    startedAtMs: 0,
    append: ({ type }) => types.push(type),
    run: ({ type }) => {
      if (type === 'finish') loop.stop();
    },
    onCrash: (error) => {
      throw error;
    },
  });
  loop.send({ type: 'leg.answered' });
  loop.send({ type: 'media.lost' });
  await turnOfTheLoop();
  expect(types).not.toContain('finish');
  now = 600_000;
  expect(await loop.ask({ type: 'typed', text: 'Hello?' })).toEqual([]);
  expect(types.at(-1)).toBe('finish');
});

test('the lines of the journal never go back in time, however late the loop is', async () => {
  let now = 0;
  const late = { now: () => now, setTimeout: () => 0 as never, clearTimeout: () => undefined };
  const lines: { readonly at: number; readonly kind: string }[] = [];
  const loop = new CallRunner({
    clock: late,
    call: new Call({ settings }),
    startedAtMs: 0,
    append: (line) => lines.push(line),
    run: () => loop.note('carried.out', {}),
    onCrash: (error) => {
      throw error;
    },
  });
  loop.send({ type: 'leg.answered' });
  await turnOfTheLoop();
  // Idle messages are due meanwhile, and nobody has looked at the clock.
  now = 30_000;
  loop.note('late', {});
  loop.send({ type: 'vad.start', onsetAt: 29_900 });
  now = 30_010;
  loop.note('later', {});
  await turnOfTheLoop();
  const instants = lines.map(({ at }) => at);
  expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['event', 'command', 'note']));
  expect(instants.some((at) => at > 0 && at < 30_000)).toBe(true);
  expect(instants).toEqual([...instants].sort((a, b) => a - b));
});

test('tells of a checkpoint after so many lines, which leads to the call as it is', async () => {
  const clock = new ManualClock();
  const lines: JournalLine[] = [];
  const checkpoints: Checkpoint[] = [];
  const startedAtMs = clock.now();
  lines.push(createdLine({ callId: 'WC-1', settings } as SessionInit, startedAtMs));
  const call = new Call({ settings });
  const loop = new CallRunner({
    ...{ clock, call, startedAtMs },
    append: (line) => lines.push(line),
    run: () => undefined,
    onCrash: (error) => {
      throw error;
    },
    onCheckpoint: (checkpoint) =>
      checkpoints.push(JSON.parse(JSON.stringify({ ...checkpoint, messages: [] }))),
  });
  loop.send({ type: 'leg.answered' });
  for (let i = 0; i < 3 * CHECKPOINT_LINES; i++) {
    loop.send({ type: 'play.mark', uttId: 9, playedMs: i });
    await clock.advance(20);
  }
  expect(checkpoints.map(({ last }) => last.seq)).toEqual([501, 1001, 1501]);
  for (const checkpoint of checkpoints) {
    const covered = lines.findIndex(({ seq }) => seq === checkpoint.last.seq);
    const restored = finish(restoreFrom(checkpoint, lines.slice(covered)));
    expect(JSON.parse(JSON.stringify(restored.call.state))).toEqual(
      JSON.parse(JSON.stringify(call.state)),
    );
    restored.call.stop();
  }
  loop.stop();
});
