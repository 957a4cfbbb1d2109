import { afterEach, expect, test } from 'vitest';
import type { PredictRequest, TurnPredictor } from '../../src/ports/predictor.ts';
import { SessionRig } from '../support/session-rig.ts';

let rig: SessionRig | undefined;

afterEach(async () => {
  rig?.session.hangup();
  await rig?.clock.advance(20_000);
  await rig?.session.finished;
});

const listening = (predictor: TurnPredictor) =>
  new SessionRig({
    predictor,
    replies: [{ text: ['Gladly.'] }, { text: ['Done.'] }],
    settings: {
      predictor: 'outside',
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
    },
  });

test('[N2] a predictor gets the words and the latest sound, and its judgement counts', async () => {
  const requests: PredictRequest[] = [];
  rig = listening({
    provider: 'scripted',
    sampleRateHz: 8000,
    audioMs: 500,
    predict: async (request) => {
      requests.push(request);
      return 0.01;
    },
  });
  rig.session.answered();
  await rig.speak('I want to book a table');
  await rig.silence(2000);
  const heard = requests.at(-1);
  expect(heard?.text).toBe('I want to book a table');
  expect(heard?.pcm).toHaveLength(4000);
  // The end of the voice, then the pause.
  expect(heard?.pcm[1000]).toBeGreaterThan(1000);
  expect(heard?.pcm.at(-1)).toBe(0);
  expect(rig.commands('llm.start')).toHaveLength(1);
});

test('[N2] one that hangs is aborted after 150 ms, and one that fails is reported', async () => {
  const signals: AbortSignal[] = [];
  rig = listening({
    provider: 'scripted',
    sampleRateHz: 16_000,
    audioMs: 1000,
    predict: ({ signal }) => {
      signals.push(signal);
      return signals.length === 1 ? new Promise(() => undefined) : Promise.reject(new Error('no'));
    },
  });
  rig.session.answered();
  await rig.speak('I want to book a table');
  await rig.silence(3000);
  expect(signals.length).toBeGreaterThan(1);
  // The predictor can tell it from a question that was withdrawn.
  expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError' });
  expect(rig.warnings).toContainEqual(expect.objectContaining({ err: new Error('no') }));
  expect(rig.transcript[0]).toBe('user: I want to book a table');
});

test('[N2] hears the turn alone: nothing that the caller said before the last reply', async () => {
  const heard: Int16Array[] = [];
  rig = listening({
    provider: 'scripted',
    sampleRateHz: 8000,
    audioMs: 8000,
    predict: async ({ pcm }) => {
      heard.push(pcm);
      return 0.01;
    },
  });
  rig.session.answered();
  await rig.speak('I want to book a table.');
  await rig.silence(4000);
  const first = heard.length;
  await rig.speak('For two.', 400);
  await rig.silence(1000);
  const loudMs = (pcm: Int16Array | undefined) =>
    (pcm?.filter((sample) => Math.abs(sample) > 500).length ?? 0) / 8;
  expect(first).toBeGreaterThan(0);
  expect(loudMs(heard[first - 1])).toBeGreaterThan(600);
  expect(heard.length).toBeGreaterThan(first);
  expect(loudMs(heard.at(-1))).toBeLessThan(420);
});

test('[N2] without a judgement in time the words decide, and nothing is reported', async () => {
  rig = listening({
    provider: 'scripted',
    sampleRateHz: 16_000,
    audioMs: 1000,
    predict: async () => undefined,
  });
  rig.session.answered();
  await rig.speak('What is it?');
  await rig.silence(2000);
  expect(rig.transcript[0]).toBe('user: What is it?');
  expect(rig.warnings).toEqual([]);
});
