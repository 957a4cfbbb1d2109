import { describe, expect, test } from 'vitest';
import { answering, LONG, SETTINGS, type Verdict } from '../support/answering-call.ts';
import { CallHarness, type World } from '../support/call-harness.ts';

/** A voice, as voice activity hears it at one level. */
function level(call: CallHarness, at: number, ms: number, db: number): void {
  call.at(at + 80, { type: 'vad.start', onsetAt: at, db });
  for (let t = at + 200; t < at + ms + 100; t += 200)
    call.at(t, { type: 'vad.level', sinceAt: t - 200, db });
  call.at(at + ms + 200, { type: 'vad.stop', speechEndAt: at + ms });
}

/** The caller has asked at -24 dB; over the answer, words come that are, as a rule, 16 dB softer. */
function softly(
  text: string,
  ms: number,
  verdict: Verdict,
  world: World = {},
  db = -40,
): CallHarness {
  const call = new CallHarness({
    model: (_text, index) => (index === 0 ? LONG : verdict),
    ...world,
    settings: SETTINGS,
  }).answer();
  level(call, 200, 1200, -24);
  call.says(200, 'How do the two plans differ?', { ms: 1200, vad: false });
  level(call, 4000, ms, db);
  call.says(4000, text, { ms, vad: false });
  return call;
}

const SIDE_TALK = 'Please put it over there near that table.';
const heardWhole = (call: CallHarness) => call.transcript.includes(`assistant: ${LONG}`);
const asked = (call: CallHarness) => call.of('llm.start').filter(({ turn }) => turn > 1);

describe('words over an answer that may be for somebody else', () => {
  test('[B17] hold it until the model, which may say nothing, has said nothing', () => {
    const call = answering('silence');
    call.says(4000, SIDE_TALK);
    call.runTo(15_000);
    expect(call.of('play.clear')).toEqual([]);
    expect(call.of('play.release')).toHaveLength(1);
    expect(call.transcript).toEqual(['user: How do the two plans differ?', `assistant: ${LONG}`]);
    expect(call.of('log').map(({ note }) => note)).toContain('not meant for the assistant');
    expect(asked(call)).toHaveLength(1);
    const { messages, speculative } = asked(call)[0] ?? {};
    expect(speculative).toBe(true);
    expect(messages?.slice(-3).map(({ role }) => role)).toEqual(['assistant', 'user', 'system']);
    expect(messages?.at(-2)?.content).toBe(SIDE_TALK);
  });

  test.each<[string, Verdict]>([
    ['punctuation of its own', { pieces: ['"Silence."'] }],
    ['not a word', { pieces: [] }],
  ])('[B17] nothing may also be %s', (_what, verdict) => {
    const call = answering(verdict);
    call.says(4000, SIDE_TALK);
    call.runTo(30_000);
    expect(heardWhole(call)).toBe(true);
  });

  test('[B17] [S3] any other answer interrupts, and is the answer', () => {
    const call = answering('Certainly.');
    const end = call.says(4000, SIDE_TALK);
    call.runTo(end + 360);
    expect(call.of('play.hold')[0]?.at).toBe(4200);
    // The final comes after 150 ms, the model takes 200.
    expect(call.of('play.clear').map(({ at }) => at)).toEqual([end + 350]);
    call.runTo(10_000);
    expect(asked(call)).toHaveLength(1);
    expect(call.of('llm.adopt')).toHaveLength(2);
    expect(call.transcript.slice(-2)).toEqual([`user: ${SIDE_TALK}`, 'assistant: Certainly.']);
  });

  test('[B17] so does a tool that it calls, before it is done', () => {
    const call = answering({ silent: true });
    const end = call.says(4000, SIDE_TALK);
    call.runTo(end + 500);
    const genId = asked(call).at(-1)?.genId ?? 0;
    const tool = { toolCallId: 'c1', name: 'look', arguments: '{}' };
    call.at(end + 500, { type: 'llm.toolCall', genId, ...tool }).runTo(end + 500);
    expect(call.of('play.clear').map(({ at }) => at)).toEqual([end + 500]);
  });

  test.each<[string, World, number]>([
    ['fails', { model: (_text, i) => (i === 0 ? LONG : { error: true }) }, 350],
    ['does not answer', { model: (_text, i) => (i === 0 ? LONG : { silent: true }) }, 3000],
  ])('[B17] a model that %s counts as meant', (_what, world, ms) => {
    const call = answering('', world);
    const end = call.says(4000, SIDE_TALK);
    call.runTo(end + ms);
    expect(call.of('play.clear').map(({ at }) => at)).toEqual([end + ms]);
  });

  // At the final text the voice is too long for a backchannel; at its end, known later, it was not.
  test.each<[string, Verdict, 'play.release' | 'play.clear']>([
    ['goes on once the model has said nothing', 'silence', 'play.release'],
    ['is interrupted by any other answer', 'Certainly.', 'play.clear'],
  ])('[B17] a reply held for a few words whose voice seemed longer %s', (_what, verdict, then) => {
    const call = answering(verdict, { modelMs: 800 });
    const words = { segId: 'few', text: 'On the terminal.', conf: 0.9 };
    call.at(4080, { type: 'vad.start', onsetAt: 4000 });
    call.at(5290, { type: 'stt.final', ...words, startAt: 4000, endAt: 5000 });
    call.at(5300, { type: 'vad.stop', speechEndAt: 5100 });
    call.runTo(20_000);
    expect(call.of('play.hold').map(({ at }) => at)).toEqual([4200]);
    const ended = [...call.of('play.release'), ...call.of('play.clear')];
    expect(ended.map(({ type, at }) => [type, at])).toEqual([[then, 5290 + 800]]);
  });

  test.each([
    ['a stop phrase', 'Wait, put it over there near that table.'],
    ['a word of this conversation', 'Please put those euros over there, near that table.'],
  ])('[B17] %s is not asked about', (_what, text) => {
    const call = answering('silence');
    call.says(4000, text);
    call.runTo(30_000);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[B17] the same words once more are meant', () => {
    const call = answering('silence');
    const end = call.says(4000, SIDE_TALK);
    call.says(end + 1500, SIDE_TALK);
    call.runTo(30_000);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[B17] who goes on is asked about with all the words', () => {
    const call = answering('silence');
    const end = call.says(4000, SIDE_TALK);
    call.says(end + 250, 'Then bring those glasses from upstairs.');
    call.runTo(30_000);
    expect(call.of('play.clear')).toEqual([]);
    expect(heardWhole(call)).toBe(true);
    expect(asked(call).at(-1)?.messages.at(-2)?.content).toBe(
      `${SIDE_TALK} Then bring those glasses from upstairs.`,
    );
  });

  test('[B17] without drafts nobody is asked, and the words interrupt', () => {
    const call = answering('Certainly.', { settings: { drafts: false, callType: 'phone' } });
    const end = call.says(4000, SIDE_TALK);
    call.runTo(end);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[B17] [L4] soft words are asked about, whatever they name', () => {
    const call = softly('Which euros are those?', 1500, 'silence');
    call.runTo(30_000);
    expect(asked(call)).toHaveLength(1);
    expect(call.of('play.clear')).toEqual([]);
    expect(heardWhole(call)).toBe(true);
  });

  test('[B17] [L4] any other answer to soft words interrupts', () => {
    const call = softly('Which euros are those?', 1500, 'Certainly.');
    call.runTo(10_000);
    expect(call.of('play.clear')).toHaveLength(1);
    expect(call.transcript.slice(-2)).toEqual([
      'user: Which euros are those?',
      'assistant: Certainly.',
    ]);
  });

  test('[B17] [L4] soft words that follow others are asked about with them, whatever they name', () => {
    const call = new CallHarness({
      model: (_text, index) => (index === 0 ? LONG : 'silence'),
      modelMs: 2000,
      settings: SETTINGS,
    }).answer();
    level(call, 200, 1200, -24);
    call.says(200, 'How do the two plans differ?', { ms: 1200, vad: false });
    level(call, 4000, 1500, -24);
    call.says(4000, SIDE_TALK, { ms: 1500, vad: false });
    level(call, 6000, 1300, -40);
    call.says(6000, 'Which euros are those?', { ms: 1300, vad: false });
    call.runTo(30_000);
    expect(call.of('play.clear')).toEqual([]);
    expect(heardWhole(call)).toBe(true);
  });

  test.each([
    [17, 1],
    [19, 0],
  ])('[B17] [L4] words %d dB softer than the caller are asked about %d times', (under, times) => {
    const call = softly(SIDE_TALK, 1500, 'silence', {}, -24 - under);
    call.runTo(30_000);
    expect(asked(call)).toHaveLength(times);
    expect(heardWhole(call)).toBe(true);
  });

  test('[B17] who was meant, and goes on, is answered without the model judging again', () => {
    const call = answering('Certainly.', { modelMs: 50 });
    const end = call.says(4000, 'Please put it over there near that');
    call.says(end + 1000, 'table, and then bring those glasses.');
    call.runTo(20_000);
    expect(asked(call).map(({ messages }) => messages.at(-1)?.role)).toEqual(['system', 'user']);
    expect(call.transcript.at(-1)).toBe('assistant: Certainly.');
  });

  describe.each([5, 50, 200, 1500])('with a model that answers after %i ms', (modelMs) => {
    test.each([
      ['[B15] a soft backchannel', 'Mm-hm.', 4550],
      ['[B15] a soft backchannel of another kind', 'Right.', 4550],
      ['[B16] a soft backchannel that no list has', 'Splendid.', 4700],
    ])('%s is not asked about', (_what, text, releasedAt) => {
      const call = softly(text, 400, 'Certainly.', { modelMs });
      call.runTo(30_000);
      expect(asked(call)).toEqual([]);
      expect(call.of('play.clear')).toEqual([]);
      expect(call.of('play.release').map(({ at }) => at)).toEqual([releasedAt]);
      expect(heardWhole(call)).toBe(true);
    });
  });

  test('[B15] a soft backchannel that is written down early does not prolong the hold', () => {
    const call = softly('', 400, 'Certainly.');
    const heard = { segId: 'early', text: 'Mm-hm.', startAt: 4000, conf: 0.9 };
    call.at(4350, { type: 'stt.interim', ...heard, endAt: 4350 });
    call.at(4550, { type: 'stt.final', ...heard, endAt: 4400 });
    call.runTo(30_000);
    expect(asked(call)).toEqual([]);
    expect(call.of('play.release').map(({ at }) => at)).toEqual([5100]);
    expect(heardWhole(call)).toBe(true);
  });

  test.each([
    ['[B15] a backchannel', 'Mm-hm.'],
    ['[B16] one that no list has', 'Splendid.'],
    ['nothing', ''],
  ])('[B17] words that the recogniser takes back for %s are not waited for', (_what, text) => {
    for (const verdict of ['Certainly.', { silent: true }]) {
      const call = answering(verdict);
      call.at(4080, { type: 'vad.start', onsetAt: 4000 });
      const heard = { segId: 'taken-back', startAt: 4000, conf: 0.9 };
      call.at(4500, { type: 'stt.interim', ...heard, text: 'Put it over there', endAt: 4500 });
      call.at(4800, { type: 'vad.stop', speechEndAt: 4600 });
      // The draft may have been asked for by now; it has not answered yet.
      call.at(4820, { type: 'stt.final', ...heard, text, endAt: 4600 });
      call.runTo(30_000);
      expect(call.of('play.clear')).toEqual([]);
      expect(call.of('play.release').map(({ at }) => at)[0]).toBeLessThanOrEqual(5350);
      expect(heardWhole(call)).toBe(true);
    }
  });

  test('[B15] [B17] soft words that begin as a backchannel are asked about as a whole', () => {
    const call = softly(`Mm-hm. ${SIDE_TALK}`, 2700, 'silence');
    call.runTo(30_000);
    expect(asked(call).at(-1)?.messages.at(-2)?.content).toBe(`Mm-hm. ${SIDE_TALK}`);
    expect(call.of('play.clear')).toEqual([]);
    expect(heardWhole(call)).toBe(true);
  });
});
