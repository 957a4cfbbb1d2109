import { expect, test } from 'vitest';
import { wordsOf } from '../../src/engine/language/words.ts';
import { Call, ENGINE_VERSION } from '../../src/engine/machine/call.ts';
import type { StampedCommand } from '../../src/engine/machine/commands.ts';
import type { CallEvent, StampedEvent } from '../../src/engine/machine/events.ts';
import { JournalForm } from '../../src/engine/machine/journal-form.ts';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { runs, testSeed } from '../support/effort.ts';
import fc from '../support/properties.ts';
import { testSettings } from '../support/session-rig.ts';

const RUNS = runs({ usual: 500, long: 20_000 });

const small = fc.integer({ min: 1, max: 6 });
const text = fc.constantFrom(
  'What is the price?',
  'um',
  'yeah',
  'stop',
  'and the',
  'goodbye',
  'please leave a message',
  'please hold',
  'one two three',
  'a longer answer to it.',
  '',
);

/** Any event at all, in any order, sane or not: vendors and networks are like that. */
const anyEvent: fc.Arbitrary<CallEvent> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<CallEvent>({ type: 'vad.start', onsetAt: 0 }) },
  { weight: 6, arbitrary: fc.constant<CallEvent>({ type: 'vad.stop', speechEndAt: 0 }) },
  fc.constant<CallEvent>({ type: 'vad.alive' }),
  fc.constant<CallEvent>({ type: 'vad.lull' }),
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constantFrom('stt.interim' as const, 'stt.final' as const),
      segId: fc.constantFrom('a', 'b', 'c'),
      text,
      startAt: fc.constant(0),
      endAt: fc.constant(0),
      conf: fc.constant(1),
    }),
  },
  fc.record({ type: fc.constant('llm.text' as const), genId: small, text }),
  fc.record({ type: fc.constant('llm.done' as const), genId: small, reason: fc.constant('stop') }),
  fc.record({
    type: fc.constant('llm.toolCall' as const),
    genId: small,
    toolCallId: fc.constantFrom('t1', 't2'),
    name: fc.constantFrom('endCall', 'callForward', 'look', 'nothing'),
    arguments: fc.constantFrom('{}', 'broken'),
  }),
  fc.record({
    type: fc.constant('llm.error' as const),
    genId: small,
    error: fc.constant({ code: 'x', message: 'x' }),
  }),
  fc.record({ type: fc.constant('tts.audio' as const), uttId: small }),
  fc.record({ type: fc.constant('tts.done' as const), uttId: small, totalMs: fc.constant(900) }),
  fc.record({
    type: fc.constant('tts.failed' as const),
    uttId: small,
    error: fc.constant({ code: 'x', message: 'x' }),
  }),
  fc.record({ type: fc.constant('play.started' as const), uttId: small }),
  fc.record({ type: fc.constant('play.finished' as const), uttId: small }),
  fc.record({
    type: fc.constantFrom('play.mark' as const, 'play.cleared' as const, 'play.held' as const),
    uttId: small,
    playedMs: fc.integer({ min: 0, max: 900 }),
  }),
  fc.record({
    type: fc.constant('tool.result' as const),
    toolCallId: fc.constantFrom('t1', 't2'),
    result: fc.constant('{}'),
  }),
  fc.record({ type: fc.constant('control.say' as const), text }),
  fc.constant<CallEvent>({ type: 'beep' }),
  fc.constant<CallEvent>({ type: 'dtmf', digit: '1' }),
  fc.record({ type: fc.constant('typed' as const), text }),
  fc.constant<CallEvent>({ type: 'control.forward' }),
  fc.record({
    type: fc.constantFrom(
      'operator.answered' as const,
      'operator.accepted' as const,
      'operator.hungUp' as const,
    ),
    legId: fc.constantFrom(1, 2),
  }),
  fc.record({
    type: fc.constant('operator.failed' as const),
    legId: fc.constantFrom(1, 2),
    reason: fc.constant('busy' as const),
    code: fc.constant('486'),
  }),
  fc.constant<CallEvent>({ type: 'media.lost' }),
  fc.constant<CallEvent>({ type: 'media.resumed' }),
  fc.constant<CallEvent>({ type: 'stt.ready' }),
);

const script = fc.array(fc.tuple(fc.integer({ min: 0, max: 3000 }), anyEvent), { maxLength: 60 });

const LONGEST_MS = 60_000;

/** Settings that open other ways through the machine. */
const anySettings: fc.Arbitrary<CallSettings> = fc
  .record({
    direction: fc.constantFrom('inbound' as const, 'outbound' as const),
    mode: fc.constantFrom(
      'automatic' as const,
      'assistant-speaks-first' as const,
      'assistant-waits-for-user' as const,
    ),
    interruptible: fc.boolean(),
    numberOfWords: fc.constantFrom(0, 2),
    acknowledges: fc.boolean(),
    transferMode: fc.constantFrom('blind' as const, 'announced' as const),
    predictor: fc.constantFrom('text' as const, 'outside' as const),
    drafts: fc.boolean(),
    backchanneling: fc.boolean(),
  })
  .map(({ mode, interruptible, numberOfWords, acknowledges, transferMode, ...plain }) => ({
    ...testSettings,
    ...plain,
    callType: 'phone',
    dtmfInput: true,
    maxDurationMs: LONGEST_MS,
    welcome: { message: 'Hello there.', mode, interruptible },
    stopSpeaking: { numberOfWords, voiceMs: 200 },
    interruptionAck: { enabled: acknowledges, count: 2, words: 9, phrases: ['Sure.'] },
    transfer: {
      ...testSettings.transfer,
      toolEnabled: true,
      mode: transferMode,
      phoneNumber: '+14155550123',
    },
    tools: [
      {
        definition: { name: 'look', description: '', parameters: {} },
        async: false,
        readOnly: false,
        timeoutMs: 1000,
        lines: [],
      },
    ],
  }));

/** Runs a script, always answered first; then the caller hangs up, or the call is left alone. */
function run(
  settings: CallSettings,
  steps: readonly (readonly [number, CallEvent])[],
  hangsUp: boolean,
) {
  const call = new Call({ settings });
  const commands: StampedCommand[] = [];
  const lines: JournalLine[] = [
    {
      seq: 0,
      at: 0,
      kind: 'note',
      type: 'call.created',
      data: { callId: 'WC-1', engineVersion: ENGINE_VERSION, settings },
    },
  ];
  const form = new JournalForm();
  let at = 0;
  let seq = 1;
  const keep = (given: readonly StampedCommand[]) => {
    for (const { at: when, ...command } of given) {
      const { type, data } = form.of(command);
      lines.push({ seq: seq++, at: when, kind: 'command', type, data });
    }
    commands.push(...given);
  };
  const send = (event: CallEvent) => {
    const timed = {
      ...event,
      ...('onsetAt' in event ? { onsetAt: Math.max(0, at - 80) } : {}),
      ...('speechEndAt' in event ? { speechEndAt: Math.max(0, at - 200) } : {}),
      ...('endAt' in event ? { endAt: at } : {}),
      seq: seq++,
      at,
    } as StampedEvent;
    const { seq: place, at: when, type, ...data } = timed;
    lines.push({ seq: place, at: when, kind: 'event', type, data });
    keep(call.dispatch(timed));
  };
  send({ type: 'leg.answered' });
  for (const [afterMs, event] of steps) {
    at += afterMs;
    keep(call.advanceTo(at));
    send(event);
    const { lifecycle } = call.view;
    // Invariant 4: an unfinished call always has an instant at which it does something by itself.
    if (lifecycle !== 'finished') expect(call.nextDueAt()).toBeDefined();
    if (lifecycle === 'finished') continue;
    // The call's data is plain: nothing of it is lost in JSON.
    if (seq % 7 === 0) expect(JSON.parse(JSON.stringify(call.state))).toEqual(call.state);
  }
  if (hangsUp) {
    at += 10;
    send({ type: 'remote.hangup' });
  }
  // Invariant 4: left alone, every call comes to its end.
  for (let due = call.nextDueAt(); due !== undefined; due = call.nextDueAt()) {
    expect(due).toBeLessThan(at + LONGEST_MS + 4 * 3_600_000 + 20_000);
    keep(call.advanceTo(due));
  }
  expect(call.nextDueAt()).toBeUndefined();
  call.stop();
  return { commands, lines };
}

test(`invariants of a call hold over ${RUNS} scripts of anything`, () => {
  fc.assert(
    fc.property(anySettings, script, fc.boolean(), (settings, steps, hangsUp) => {
      const { commands, lines } = run(settings, steps, hangsUp);
      const finishes = commands.filter(({ type }) => type === 'finish');
      expect(finishes).toHaveLength(1);
      expect(commands.at(-1)?.type).toBe('finish');
      const instants = commands.map(({ at }) => at);
      expect(instants).toEqual(instants.toSorted((a, b) => a - b));
      const invoked = commands.flatMap((command) =>
        command.type === 'tool.invoke' ? [command.toolCallId] : [],
      );
      expect(new Set(invoked).size).toBe(invoked.length);
      // Invariant 1: an utterance is voiced once and played at most once.
      for (const type of ['tts.start', 'play.start'] as const) {
        const ids = commands.flatMap((c) => (c.type === type ? [c.uttId] : []));
        expect(new Set(ids).size).toBe(ids.length);
      }
      // Invariant 3: the transcript's words of the assistant are of pieces that were played.
      const texts = new Map(
        commands.flatMap((c) => (c.type === 'tts.start' ? [[c.uttId, c.text]] : [])),
      );
      const played = commands.flatMap((c) =>
        c.type === 'play.start' ? [texts.get(c.uttId) ?? ''] : [],
      );
      const sounded = new Set(played.flatMap((text) => wordsOf(text)));
      const recorded = commands.flatMap((c) =>
        c.type === 'transcript.append' && c.message.role === 'assistant'
          ? wordsOf(c.message.text)
          : [],
      );
      expect(recorded.filter((word) => !sounded.has(word))).toEqual([]);
      // Every line that was dialled is let go.
      const legs = (type: 'leg.dial' | 'leg.hangup') =>
        commands.flatMap((c) => (c.type === type ? [c.legId] : []));
      const handedOver = commands.some((c) => c.type === 'finish' && c.endReason === 'transferred');
      if (!handedOver) expect(legs('leg.hangup')).toEqual(legs('leg.dial'));
      // A draft becomes the reply or is taken back, once.
      const drafts = commands.flatMap((c) =>
        c.type === 'llm.start' && c.speculative ? [c.genId] : [],
      );
      const adopted = commands.flatMap((c) => (c.type === 'llm.adopt' ? [c.genId] : []));
      const cancelled = new Set(
        commands.flatMap((c) => (c.type === 'llm.cancel' ? [c.genId] : [])),
      );
      expect(adopted.filter((genId) => !drafts.includes(genId))).toEqual([]);
      expect(new Set(adopted).size).toBe(adopted.length);
      expect(drafts.filter((genId) => !adopted.includes(genId) && !cancelled.has(genId))).toEqual(
        [],
      );
      expect(findDifferences(replayJournal(lines))).toEqual([]);
    }),
    { numRuns: RUNS, seed: testSeed(2026) },
  );
}, 3_600_000);
