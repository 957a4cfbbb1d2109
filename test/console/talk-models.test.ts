import { describe, expect, test } from 'vitest';
import { explainAnswers, hearAnswer, medianOf } from '../../src/console/talk/answers.ts';
import { unheardRest } from '../../src/console/talk/unheard.ts';

describe('what of a reply was not heard', () => {
  const log = (...texts: string[]): string =>
    [
      { kind: 'event', type: 'tts.done', data: { uttId: 1 } },
      ...texts.map((text, uttId) => ({
        kind: 'command',
        type: 'tts.start',
        data: { uttId, text },
      })),
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');

  test('is the rest of the utterances that begin as it does, the latest of them', () => {
    const said = log('Hello.', 'We are open', 'from nine to five.', 'We are open', 'all night.');
    expect(unheardRest(said, 'We are open all')).toBe('night.');
    expect(unheardRest(said, 'We are open from nine')).toBe('to five. We are open all night.');
  });

  test('is unknown where nothing that was said begins so, and nothing where all was heard', () => {
    expect(unheardRest(log('Hello.'), 'Goodbye')).toBeUndefined();
    expect(unheardRest(log('Hello.'), 'Hello.')).toBeUndefined();
    expect(unheardRest('', 'Hello')).toBeUndefined();
  });
});

describe('the times to answer', () => {
  const metrics = [
    { turn: 1, modelMs: 300, totalMs: 500 },
    { turn: 2 },
    { turn: 3, modelMs: 200, totalMs: 400 },
  ];

  test('are explained where ear and service count the same answers', () => {
    expect(explainAnswers([{ heardMs: 520 }, { heardMs: 430 }], metrics)).toEqual([
      { heardMs: 520, metrics: metrics[0] },
      { heardMs: 430, metrics: metrics[2] },
    ]);
  });

  test('are the service’s alone where the ear missed one, and the ear’s where the service is behind', () => {
    expect(explainAnswers([{ heardMs: 520 }], metrics)).toEqual([
      { metrics: metrics[0] },
      { metrics: metrics[2] },
    ]);
    const heard = [{ heardMs: 1 }, { heardMs: 2 }, { heardMs: 3 }];
    expect(explainAnswers(heard, metrics)).toEqual(heard);
  });

  test('are one an answer, whoever tells of it first', () => {
    const told = explainAnswers([], metrics.slice(0, 1));
    expect(hearAnswer(told, 520)).toEqual([{ heardMs: 520, metrics: metrics[0] }]);
    const both = hearAnswer(hearAnswer(told, 520), 430);
    expect(both).toHaveLength(2);
    // What was explained stays so while the service is behind.
    expect(explainAnswers(both, metrics.slice(0, 2))[0]?.metrics).toBe(metrics[0]);
  });

  test('have a middle', () => {
    expect(medianOf([])).toBeUndefined();
    expect(medianOf([900, 100, 500])).toBe(500);
  });
});
