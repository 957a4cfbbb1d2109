import { describe, expect, test } from 'vitest';
import { findDifferences, replayJournal, restoreCall } from '../../src/engine/machine/replay.ts';
import type { CallTool } from '../../src/engine/settings/settings.ts';
import { finish } from '../../src/lib/steps.ts';
import { CallHarness, type World } from '../support/call-harness.ts';

const ANSWER = 'We are open from nine to six on every day but Sunday.';
const LONG = [
  'Good morning, and thank you for calling the town library.',
  'We are open from nine to six on every day but Sunday.',
  'Books can be kept for four weeks, and films for seven days.',
].join(' ');
const quiet = { message: '', mode: 'assistant-waits-for-user', interruptible: true } as const;

/** Asked at 1 s; the answer sounds from about 2.3 s on, three words a second. */
const asked = (world: World = {}) => {
  const call = new CallHarness({
    wordTimes: true,
    model: () => ANSWER,
    ...world,
    settings: { welcome: quiet, ...world.settings },
  }).answer();
  call.says(1000, 'When are you open?');
  return call;
};

const booking = (more: Partial<CallTool>): CallTool => ({
  definition: { name: 'book', description: 'Books.', parameters: { type: 'object' } },
  async: false,
  readOnly: false,
  timeoutMs: 20_000,
  lines: [],
  ...more,
});

const heardAt = (call: CallHarness) => {
  call.runTo(1500);
  while (call.of('play.start').length === 0) call.runTo(call.now + 20);
  return call.now;
};

/** A recorded call must be the same when it is run again. */
const replays = ({ journal }: CallHarness) => {
  expect(findDifferences(replayJournal(journal))).toEqual([]);
  finish(restoreCall(journal)).call.stop();
};

describe('a call that another process takes over', () => {
  test('[R1] a reply goes on after the last word known to be heard, and is one message', () => {
    const call = asked();
    call.runTo(heardAt(call) + 1000);
    call.takeOver(300).runTo(12_000);
    const [whole, rest] = call.of('tts.start').map(({ text }) => text);
    expect(whole).toBe(ANSWER);
    expect(ANSWER.endsWith(rest as string)).toBe(true);
    expect(rest).toMatch(/^(open|from|nine) /);
    expect(call.transcript).toEqual(['user: When are you open?', `assistant: ${ANSWER}`]);
    expect(call.of('llm.start')).toHaveLength(1);
    replays(call);
  });

  test('[R1] a piece whose words have no times is said again', () => {
    const call = asked({ wordTimes: false });
    call.runTo(heardAt(call) + 1000);
    call.takeOver(300).runTo(12_000);
    expect(call.of('tts.start').map(({ text }) => text)).toEqual([ANSWER, ANSWER]);
    expect(call.transcript.at(-1)).toBe(`assistant: ${ANSWER}`);
    replays(call);
  });

  test.each([0, 900])(
    '[R1] a voice that has to start again is waited for (voice of the caller: %i ms)',
    (ms) => {
      const call = asked({ voiceMs: 3000 });
      const from = heardAt(call);
      if (ms > 0) call.voice(from + 500, ms);
      call.runTo(from + 1200);
      call.takeOver(300).runTo(from + 15_000);
      expect(call.transcript.at(-1)).toBe(`assistant: ${ANSWER}`);
      replays(call);
    },
  );

  test.each(['web', 'phone'] as const)(
    '[R1] [R5] a %s call goes on wherever it was, however long it had no process',
    (callType) => {
      for (const wordTimes of [true, false])
        for (const gapMs of [100, 2500, 5500, 9000, 20_000])
          for (let afterMs = 0; afterMs <= 10_000; afterMs += 300) {
            const call = new CallHarness({
              wordTimes,
              settings: {
                callType,
                welcome: { ...quiet, message: LONG, mode: 'assistant-speaks-first' },
              },
            }).answer();
            call.runTo(afterMs);
            call.takeOver(gapMs);
            call.runTo(afterMs + gapMs + 18_000);
            const when = `after ${afterMs} ms, for ${gapMs} ms, ${wordTimes ? 'with' : 'without'} times`;
            const said = call.transcript.map((line) => line.replace('assistant: ', '')).join(' ');
            const heard = said
              .replace('Sorry, the line dropped for a moment.', '')
              .replace(/\s+/g, ' ');
            // The caller, who says nothing, may have been asked whether they are there.
            expect(heard.trim().startsWith(LONG), `${when}: ${heard}`).toBe(true);
            expect(call.of('finish'), when).toEqual([]);
            replays(call);
          }
    },
  );

  test('[R1] a reply that was held goes on as well', () => {
    const call = asked();
    const from = heardAt(call);
    call.voice(from + 600, 5000);
    call.runTo(from + 1200);
    call.takeOver(300).runTo(from + 12_000);
    expect(call.transcript.at(-1)).toBe(`assistant: ${ANSWER}`);
    replays(call);
  });

  test('[R2] an answer that the model was writing is asked again from what was heard', () => {
    const call = asked({
      model: (_text, n) => (n === 0 ? { silent: true } : 'to six.'),
    });
    call.runTo(1500);
    while (call.of('llm.start').length === 0) call.runTo(call.now + 20);
    call.at(call.now + 100, { type: 'llm.text', genId: 1, text: 'We are open from nine.' });
    call.at(call.now + 150, { type: 'llm.text', genId: 1, text: 'And never heard.' });
    while (call.of('play.start').length === 0) call.runTo(call.now + 20);
    call.runTo(call.now + 900);
    call.takeOver(300).runTo(12_000);
    const [first, again] = call.of('llm.start');
    const known = first?.messages.length ?? 0;
    expect(again?.messages.slice(0, known)).toEqual(first?.messages);
    expect(again?.messages.slice(known)).toEqual([
      { role: 'assistant', content: expect.stringMatching(/^We are.*—$/) },
      { role: 'system', content: expect.stringContaining('Go on from there') },
    ]);
    const said = call.transcript.at(-1);
    expect(said).toMatch(/^assistant: We are.* to six\.$/);
    expect(said).not.toContain('never heard');
    replays(call);
  });

  test('[R2] an answer of which nothing was heard is asked again as it was', () => {
    const call = asked({ model: (_text, n) => (n === 0 ? { silent: true } : ANSWER) });
    call.runTo(1500);
    while (call.of('llm.start').length === 0) call.runTo(call.now + 20);
    call.takeOver(300).runTo(12_000);
    const [first, again] = call.of('llm.start');
    expect(again?.messages).toEqual(first?.messages);
    expect(call.transcript.at(-1)).toBe(`assistant: ${ANSWER}`);
    replays(call);
  });

  test('[R1] a farewell is said to its end, and the line goes down', () => {
    const message = 'Goodbye, and thank you for calling the town library.';
    const endCall = { enabled: true, message, phrases: [], toolDescription: '' };
    const call = asked({
      settings: { endCall },
      model: () => ({ calls: [{ id: 'c1', name: 'endCall' }] }),
    });
    call.runTo(heardAt(call) + 1000);
    expect(call.call.view.lifecycle).toBe('closing');
    call.takeOver(300).runTo(12_000);
    expect(call.of('tts.start')).toHaveLength(2);
    expect(call.transcript.at(-1)).toBe(`assistant: ${message}`);
    expect(call.of('finish')).toMatchObject([{ endReason: 'assistant-ended-call' }]);
    replays(call);
  });

  test('[R1] a reply of which all was heard is over', () => {
    const call = asked();
    const words = ANSWER.split(' ').length;
    call.runTo(heardAt(call) + words * 300 - 20);
    call.at(call.now, { type: 'play.mark', uttId: 1, playedMs: words * 300 - 20 }).runTo(call.now);
    call.takeOver(300).runTo(call.now + 400);
    expect(call.of('tts.start')).toHaveLength(1);
    expect(call.call.view.assistant).toBe('idle');
    expect(call.transcript.at(-1)).toBe(`assistant: ${ANSWER}`);
    replays(call);
  });

  test('[R3] [T4] a tool that is asked again has all its time again', () => {
    const call = asked({
      settings: { tools: [booking({ readOnly: true, timeoutMs: 4000 })] },
      tool: () => ({ afterMs: 3000, result: 'done' }),
      model: (_text, n) => (n === 0 ? { calls: [{ id: 't1', name: 'book' }] } : 'It is booked.'),
    });
    call.runTo(1500);
    while (call.of('tool.invoke').length === 0) call.runTo(call.now + 20);
    call.runTo(call.now + 2000);
    call.takeOver(900).runTo(14_000);
    expect(call.of('tool.cancel')).toEqual([]);
    expect(call.context.find(({ role }) => role === 'tool')?.content).toBe('done');
    replays(call);
  });

  test.each([
    { what: 'that only reads is asked again', more: { readOnly: true }, again: true },
    { what: 'that knows a repetition is asked again', more: { repeatable: true }, again: true },
    { what: 'of another kind has an unknown outcome', more: {}, again: false },
  ])('[R3] a tool $what, by the same id', ({ more, again }) => {
    const call = asked({
      settings: { tools: [booking(more)] },
      tool: () => ({ afterMs: 3000, result: 'done' }),
      model: (_text, n) =>
        n === 0 ? { calls: [{ id: 't1', name: 'book', args: '{}' }] } : 'It is booked.',
    });
    call.runTo(1500);
    while (call.of('tool.invoke').length === 0) call.runTo(call.now + 20);
    call.takeOver(300).runTo(10_000);
    expect(call.of('tool.invoke').map(({ toolCallId }) => toolCallId)).toEqual(
      again ? ['t1', 't1'] : ['t1'],
    );
    const [result] = call.context.filter(({ role }) => role === 'tool');
    expect(result?.content).toMatch(again ? /^done$/ : /^\{"error":"the outcome is unknown, /);
    expect(call.transcript.at(-1)).toBe('assistant: It is booked.');
    replays(call);
  });

  test.each([
    { gapMs: 900, languages: ['en-US'], phrase: undefined },
    { gapMs: 1500, languages: ['en-US'], phrase: 'Sorry, the line dropped for a moment.' },
    { gapMs: 1500, languages: ['de-DE'], phrase: 'Entschuldigung, die Leitung war kurz weg.' },
  ])('[R4] a gap of $gapMs ms in $languages: $phrase', ({ gapMs, languages, phrase }) => {
    const speaking = asked({ settings: { languages } });
    speaking.runTo(heardAt(speaking) + 1000);
    speaking.takeOver(gapMs).runTo(15_000);
    const said = speaking.of('tts.start').map(({ text }) => text);
    expect(said.slice(1, -1)).toEqual(phrase ? [phrase] : []);
    replays(speaking);

    const idle = asked({ settings: { languages } });
    idle.runTo(9000);
    const before = idle.of('tts.start').length;
    idle.takeOver(gapMs).runTo(idle.now + gapMs + 1500);
    expect(
      idle
        .of('tts.start')
        .slice(before)
        .map(({ text }) => text),
    ).toEqual(phrase ? [phrase] : []);
    replays(idle);
  });

  test("a journal that today's engine would decide otherwise is not gone on with", () => {
    const call = asked();
    call.runTo(12_000);
    const other = call.journal.map((line) =>
      line.type === 'tts.start' ? { ...line, data: { ...line.data, text: 'Otherwise.' } } : line,
    );
    expect(() => finish(restoreCall(other))).toThrow(/decides otherwise/);
    const restored = finish(restoreCall(call.journal));
    expect(restored.last).toMatchObject({
      seq: call.journal.at(-1)?.seq,
      at: call.journal.at(-1)?.at,
    });
    expect(restored.call.state).toEqual(call.call.state);
    restored.call.stop();
  });

  test('a journal is gone on with in steps, between which other calls are served', () => {
    const call = asked();
    call.runTo(12_000);
    const steps = restoreCall(call.journal);
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses++;
    step.value.call.stop();
    // Once for twenty lines that are run, for as many that are read, and for as many commands that are compared.
    const commands = call.journal.filter(({ kind }) => kind === 'command');
    const steps20 = ({ length }: { readonly length: number }) => Math.ceil(length / 20);
    expect(pauses).toBe(2 * steps20(call.journal) + steps20(commands));
  });
});
