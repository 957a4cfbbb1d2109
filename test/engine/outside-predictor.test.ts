import { describe, expect, test } from 'vitest';
import { combineJudgements, waitShare } from '../../src/engine/turn/predictor.ts';
import { CallHarness, type World } from '../support/call-harness.ts';

const judged = (world: World = {}) =>
  new CallHarness({
    ...world,
    settings: {
      predictor: 'outside',
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();

/** The caller's words are final before the first question is asked. */
const quick = { finalMs: 100, interims: false };

describe('[N2] a predictor outside', () => {
  test('is asked at 0.2, 0.5 and 1.2 s of silence, and the latest answer counts', () => {
    const answers = [0.9, 0.8, 0.7];
    const call = judged({ predictor: (_text, n) => answers[n] });
    const end = call.says(1000, 'I want to book a table', quick);
    call.runTo(9000);
    expect(call.of('predict').map(({ at }) => at - end)).toEqual([200, 500, 1200]);
    expect(call.of('predict')[0]).toMatchObject({ text: 'I want to book a table' });
    expect(call.of('llm.start')[0]?.at).toBe(
      end + Math.round(100 + 1800 * waitShare(combineJudgements(0.7, 0.5))),
    );
  });

  test('that is certain ends the turn at once', () => {
    const call = judged({ predictor: () => 0.02 });
    const end = call.says(1000, 'I want to book a table', quick);
    call.runTo(9000);
    expect(call.of('llm.start')[0]?.at).toBe(end + 260);
  });

  test('is asked again when the words change', () => {
    const call = judged({ predictor: () => 0.5 });
    const end = call.says(1000, 'I want to book a table.', { finalMs: 300, interims: false });
    call.runTo(end + 400);
    expect(call.of('predict').map(({ at, text }) => [at - end, text])).toEqual([
      [200, ''],
      [300, 'I want to book a table.'],
    ]);
  });

  test.each([
    ['that answers late', 200],
    ['that does not answer', undefined],
  ])('%s is waited for 150 ms, then the words decide', (_why, predictorMs) => {
    const call = judged(predictorMs ? { predictor: () => 0.9, predictorMs } : {});
    const end = call.says(1000, 'What is it?', quick);
    call.runTo(9000);
    expect(call.of('llm.start')[0]?.at).toBe(end + 350);
  });

  test('an answer from before the caller went on says nothing', () => {
    const call = judged({ predictor: () => 0, predictorMs: 140 });
    const end = call.says(1000, 'I want to book a table', quick);
    call.says(end + 160, 'for two', quick);
    call.runTo(end + 300);
    expect(call.of('llm.start')).toEqual([]);
  });
});

describe('[N2] a recogniser that knows turns', () => {
  const asked = (world: World = {}) =>
    judged({ ...world, settings: { predictor: 'text', ...world.settings } });

  test.each([
    ['over', 0.95, 0.05],
    ['not over', 0.1, 0.9],
  ])('that holds the turn for %s counts as the sound of the pause', (_what, over, p) => {
    const call = asked();
    const end = call.says(1000, 'I want to book a table', quick);
    call.at(end + 300, { type: 'stt.eot', eager: true, p: over });
    call.runTo(9000);
    const wait = Math.round(100 + 1800 * waitShare(combineJudgements(p, 0.5)));
    expect(call.of('llm.start')[0]?.at).toBe(end + Math.max(300, wait));
  });

  test('has said nothing of words that came later', () => {
    const call = asked();
    const end = call.says(1000, 'I want to book', quick);
    call.at(end + 210, { type: 'stt.eot', eager: true, p: 0.4 });
    const said = { segId: 'later', startAt: end - 200, endAt: end, conf: 0.9 };
    call.at(end + 300, { type: 'stt.final', text: 'a table', ...said });
    call.runTo(9000);
    expect(call.of('llm.start')[0]?.at).toBe(end + 1000);
  });

  test('is not heard where the wait goes by fixed times', () => {
    const settings = asked().settings;
    const startSpeaking = { ...settings.startSpeaking, smartEndpointing: 'off' as const };
    const call = asked({ settings: { startSpeaking } });
    const end = call.says(1000, 'I want to book a table', quick);
    call.at(end + 300, { type: 'stt.eot', eager: false, p: 1 });
    call.runTo(9000);
    expect(call.of('llm.start')[0]?.at).toBe(end + startSpeaking.onNoPunctuationMs);
  });
});
