import { describe, expect, test } from 'vitest';
import { KNOWN_LANGUAGES, languageOf } from '../../src/engine/language/language.ts';
import { wordsOf } from '../../src/engine/language/words.ts';
import { decideWait } from '../../src/engine/turn/endpointing.ts';
import { predictUnfinished } from '../../src/engine/turn/predictor.ts';
import { CallHarness } from '../support/call-harness.ts';
import { callSettings } from '../support/call-settings.ts';
import { HELD_OUT, type HeldOut } from './held-out-phrases.ts';

/** Whether the answer was heard to its end although the caller said something over it. */
function isHeardWhole(tag: string, reply: string, said: string): boolean {
  const call = new CallHarness({
    model: (_text, index) => (index === 0 ? reply : 'OK.'),
    settings: {
      callType: 'phone',
      languages: [tag],
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
    },
  }).answer();
  call.says(200, 'X?', { ms: 800 });
  call.runTo(2600);
  call.says(2800, said, { ms: 700 });
  call.runTo(20_000);
  return call.transcript.includes(`assistant: ${reply}`);
}

function pOf(tag: string, text: string): number {
  const language = languageOf([tag]);
  const about = { text, language, expectation: undefined, askedYesNo: false };
  return predictUnfinished({ ...about, expected: [] });
}

test('every language that the rules know has phrases that stand in none of its lists', () => {
  expect(Object.keys(HELD_OUT).sort()).toEqual([...KNOWN_LANGUAGES].sort());
  for (const [tag, { backchannels }] of Object.entries(HELD_OUT)) {
    const listed = backchannels.filter((said) =>
      languageOf([tag]).backchannels.covers(wordsOf(said)),
    );
    expect(listed, tag).toEqual([]);
  }
});

test('a language without words is judged by voice and silence', () => {
  expect(languageOf(['da-DK']).supported).toBe(false);
  expect(languageOf(['de-CH']).supported).toBe(true);
  expect(languageOf(['da-DK', 'pl']).tag).toBe('pl');
});

describe.each(Object.entries<HeldOut>(HELD_OUT))('%s', (tag, phrases) => {
  test('[B16] of six ways to listen that no list has, at least five let the answer go on', () => {
    const lost = phrases.backchannels.filter((said) => !isHeardWhole(tag, phrases.reply, said));
    expect(lost.length, lost.join(' ')).toBeLessThanOrEqual(1);
  });

  test.each(phrases.interruptions)('[B16] "%s" takes the floor', (said) => {
    expect(isHeardWhole(tag, phrases.reply, said)).toBe(false);
  });

  test.each(phrases.endings)('[N2] "%s" is probably over', (text) => {
    expect(pOf(tag, text)).toBeLessThanOrEqual(0.4);
  });

  test.each(phrases.beginnings)('[N2] "%s" is probably not', (text) => {
    expect(pOf(tag, text)).toBeGreaterThanOrEqual(0.75);
  });

  test('[N5] a number that is announced is heard out', () => {
    const { startSpeaking: options } = callSettings();
    const language = languageOf([tag]);
    const about = {
      expectation: undefined,
      askedYesNo: false,
      judgedOver: false,
      hints: [],
      cutInMs: 0,
      heard: false,
    };
    const { rule } = decideWait({ text: phrases.announced, options, language, p: 0.1, ...about });
    expect(rule).toContain('N5');
  });

  test('has lists without empty phrases and repetitions', () => {
    const { data } = languageOf([tag]);
    for (const [name, list] of Object.entries({ ...data, ...data.dictation })) {
      if (!Array.isArray(list)) continue;
      expect(
        list.every((phrase) => wordsOf(phrase).length > 0),
        name,
      ).toBe(true);
      expect(list, name).toEqual([...new Set(list)]);
    }
    expect(data.openEnders).toEqual(expect.arrayContaining([...data.mayClose]));
    expect(data.months.length).toBeGreaterThanOrEqual(12);
    expect(data.lines.idle.length).toBeGreaterThan(0);
  });
});
