import { describe, expect, test } from 'vitest';
import {
  checkAudioLength,
  MAX_FRAME_BYTES,
  parseClientFrame,
  serializeServerFrame,
  WEB_SAMPLE_RATES_HZ,
} from '../../src/gateway/web-protocol.ts';
import fc from '../support/properties.ts';

describe('client frames', () => {
  test.each(WEB_SAMPLE_RATES_HZ)('start at %i Hz', (rate) => {
    expect(parseClientFrame(`{"type":"start","sampleRate":${rate}}`)).toEqual({
      ok: true,
      value: { type: 'start', sampleRateHz: rate },
    });
  });

  test.each([
    ['{"type":"dtmf","digit":"#"}', { type: 'dtmf', digit: '#' }],
    ['{"type":"text","text":" Are you open? "}', { type: 'text', text: 'Are you open?' }],
    ['{"type":"hangup"}', { type: 'hangup' }],
    ['{"type":"played","mark":"m3"}', { type: 'played', mark: 'm3' }],
    ['{"type":"cleared","playedMs":0}', { type: 'cleared', playedMs: 0 }],
    [
      '{"type":"stats","playedMs":9,"concealedMs":1.5,"concealments":1,"stretchedMs":0,"cutMs":0,"delayMs":60}',
      {
        type: 'stats',
        stats: {
          playedMs: 9,
          concealedMs: 1.5,
          concealments: 1,
          stretchedMs: 0,
          cutMs: 0,
          delayMs: 60,
        },
      },
    ],
    // A newer client may say more than we know.
    ['{"type":"hangup","why":"bored"}', { type: 'hangup' }],
  ])('%s', (text, value) => {
    expect(parseClientFrame(text)).toEqual({ ok: true, value });
  });

  test.each([
    ['', 'bad-message', 1003],
    ['start', 'bad-message', 1003],
    ['null', 'bad-message', 1003],
    ['[]', 'bad-message', 1003],
    ['"start"', 'bad-message', 1003],
    [`{"type":"hangup","pad":"${'x'.repeat(5000)}"}`, 'bad-message', 1003],
    ['{"type":"text","text":"  "}', 'bad-message', 1003],
    ['{"type":"text","text":7}', 'bad-message', 1003],
    [`{"type":"text","text":"${'x'.repeat(2001)}"}`, 'bad-message', 1003],
    ['{}', 'unknown-type', 1003],
    ['{"type":"Start"}', 'unknown-type', 1003],
    ['{"type":"__proto__"}', 'unknown-type', 1003],
    ['{"type":"start"}', 'unsupported-sample-rate', 1008],
    ['{"type":"start","sampleRate":"16000"}', 'unsupported-sample-rate', 1008],
    ['{"type":"start","sampleRate":44100}', 'unsupported-sample-rate', 1008],
    ['{"type":"start","sampleRate":0}', 'unsupported-sample-rate', 1008],
    ['{"type":"start","sampleRate":16000,"bufferedMs":"0"}', 'bad-message', 1003],
    ['{"type":"start","sampleRate":16000,"bufferedMs":-1}', 'bad-message', 1003],
    ['{"type":"start","sampleRate":16000,"bufferedMs":10001}', 'bad-message', 1003],
    ['{"type":"dtmf"}', 'bad-message', 1003],
    ['{"type":"dtmf","digit":"55"}', 'bad-message', 1003],
    ['{"type":"dtmf","digit":5}', 'bad-message', 1003],
    ['{"type":"dtmf","digit":"e"}', 'bad-message', 1003],
    ['{"type":"played"}', 'bad-message', 1003],
    ['{"type":"played","mark":""}', 'bad-message', 1003],
    [`{"type":"played","mark":"${'m'.repeat(129)}"}`, 'bad-message', 1003],
    ['{"type":"cleared"}', 'bad-message', 1003],
    ['{"type":"cleared","playedMs":-1}', 'bad-message', 1003],
    ['{"type":"cleared","playedMs":1e400}', 'bad-message', 1003],
    ['{"type":"cleared","playedMs":"5"}', 'bad-message', 1003],
    ['{"type":"stats"}', 'bad-message', 1003],
    [
      '{"type":"stats","playedMs":9,"concealedMs":-1,"concealments":1,"stretchedMs":0,"cutMs":0,"delayMs":60}',
      'bad-message',
      1003,
    ],
    [
      '{"type":"stats","playedMs":9,"concealedMs":1,"concealments":1.5,"stretchedMs":0,"cutMs":0,"delayMs":60}',
      'bad-message',
      1003,
    ],
  ])('refuses %s', (text, code, closeCode) => {
    const parsed = parseClientFrame(text);
    expect(parsed).toMatchObject({ ok: false, fault: { code, closeCode } });
  });

  test('no text at all makes the parser throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const parsed = parseClientFrame(text);
        expect(typeof parsed.ok).toBe('boolean');
      }),
    );
  });

  test('audio has an even length up to 64 KiB', () => {
    expect(checkAudioLength(0)).toBeUndefined();
    expect(checkAudioLength(640)).toBeUndefined();
    expect(checkAudioLength(MAX_FRAME_BYTES)).toBeUndefined();
    expect(checkAudioLength(641)).toMatchObject({ code: 'odd-length', closeCode: 1003 });
    expect(checkAudioLength(MAX_FRAME_BYTES + 2)).toMatchObject({ closeCode: 1009 });
  });
});

test('server frames are the documented JSON', () => {
  const ready = { callId: 'WC-1', sampleRate: 8000, resumeToken: 't' };
  expect(
    serializeServerFrame({ type: 'ready', ...ready, statsEveryMs: 5000, heldAudioMs: 10_000 }),
  ).toBe(
    '{"type":"ready","callId":"WC-1","sampleRate":8000,"resumeToken":"t","statsEveryMs":5000,"heldAudioMs":10000}',
  );
  expect(serializeServerFrame({ type: 'clear' })).toBe('{"type":"clear"}');
});
