import { describe, expect, test } from 'vitest';
import type { Tts, TtsPart, TtsRequest } from '../../src/ports/tts.ts';
import { createNormalisingTts } from '../../src/providers/text-normalisation/normalising-tts.ts';
import { normaliseText } from '../../src/providers/text-normalisation/protocol.ts';
import { collect } from '../support/collect.ts';

function said(text: string, language = 'en-US'): string {
  return normaliseText(text, language)
    .flatMap(({ spoken }) => spoken || [])
    .join(' ');
}

describe('what is said for what is written', () => {
  test.each([
    ['**Opening hours:** _nine_ to `five`.', 'Opening hours: nine to five.'],
    ['## Prices\n- Repair\n* Sale\n1. First', 'Prices Repair Sale one. First'],
    ['See [our shop](https://x.io/a) today 🚲👍🏽!', 'See our shop today !'],
    ['Go to https://www.example.com/bikes.', 'Go to example dot com slash bikes.'],
    [
      'Write to jo_b@my-shop.co.uk, please',
      'Write to jo underscore b at my dash shop dot co dot uk, please',
    ],
    [
      'It is $3.50, or $1 & 20% off',
      'It is three dollars fifty, or one dollar and twenty percent off',
    ],
    ['Dr. Smith, e.g. today, etc., is in.', 'doctor Smith, for example today, et cetera, is in.'],
    ['A well-known 24/7 service isn’t it?', 'A well-known 24/7 service isn’t it?'],
    ['5 * 3 = 15', 'five three = fifteen'],
    ['snake_case stays', 'snake_case stays'],
  ])('%s', (written, spoken) => {
    expect(said(written)).toBe(spoken);
  });

  test.each([
    [
      'fr-FR',
      'Mme Roy paie 20€, soit 5% de moins.',
      'madame Roy paie vingt euros, soit cinq pour cent de moins.',
    ],
    [
      'de-DE',
      'Z.B. 1€ bei www.laden.de, usw.',
      'zum Beispiel ein Euro bei laden Punkt de, und so weiter',
    ],
    ['es-ES', 'La Sra. Gil & yo: a@b.es', 'La señora Gil y yo: a arroba b punto es'],
    ['pl-PL', '**20€** dr.', '20€ dr.'],
  ])('%s: %s', (language, written, spoken) => {
    expect(said(written, language)).toBe(spoken);
  });

  test('a long path is not read out', () => {
    const url = 'https://example.com/a/very/long/path/that/nobody/would/type?x=1';
    expect(said(url)).toBe('example dot com');
  });

  test('every word as written, in order', () => {
    const text = '## Hi 👋 see https://a.io now';
    expect(normaliseText(text, 'en').map(({ written }) => written)).toEqual(text.split(/\s+/));
  });
});

describe('voice', () => {
  /** 100 ms a word, each told in a part of its own. */
  class Echo implements Tts {
    readonly provider = 'echo';
    readonly asked: string[] = [];

    async *synthesize({ text }: TtsRequest): AsyncGenerator<TtsPart, void, undefined> {
      this.asked.push(text);
      for (const [i, word] of text.split(' ').entries()) {
        yield { type: 'words', words: [{ word, startMs: i * 100, endMs: (i + 1) * 100 }] };
        yield { type: 'audio', pcm: new Int16Array(800), sampleRateHz: 8000 };
      }
    }
  }
  const request = (text: string) => ({
    text,
    language: 'en',
    sampleRateHz: 8000,
    signal: new AbortController().signal,
  });

  test('times are those of the written words: several spoken ones make one, none take no time', async () => {
    const echo = new Echo();
    const parts = await collect(
      createNormalisingTts(echo).synthesize(request('🚲 Visit a.b@c.io - now 👍')),
    );
    expect(echo.asked).toEqual(['Visit a dot b at c dot io now']);
    expect(parts.flatMap((part) => (part.type === 'words' ? part.words : []))).toEqual([
      { word: '🚲', startMs: 0, endMs: 0 },
      { word: 'Visit', startMs: 0, endMs: 100 },
      { word: 'a.b@c.io', startMs: 100, endMs: 800 },
      { word: '-', startMs: 800, endMs: 800 },
      { word: 'now', startMs: 800, endMs: 900 },
      { word: '👍', startMs: 900, endMs: 900 },
    ]);
  });

  test('an assistant may want its text said as it is', async () => {
    const echo = new Echo();
    const settings = { applyTextNormalization: false };
    await collect(createNormalisingTts(echo).synthesize({ ...request('**20%**'), settings }));
    expect(echo.asked).toEqual(['**20%**']);
  });

  test('plain text goes as it is; what is only for the eye is not sent', async () => {
    const echo = new Echo();
    const tts = createNormalisingTts(echo);
    await collect(tts.synthesize(request('Plain  text.')));
    expect(await collect(tts.synthesize(request('🚲 ---')))).toEqual([]);
    expect(echo.asked).toEqual(['Plain  text.']);
  });
});
