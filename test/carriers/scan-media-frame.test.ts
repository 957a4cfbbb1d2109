import { describe, expect, test } from 'vitest';
import { mulaw } from '../../src/audio/g711.ts';
import { Base64Audio } from '../../src/carriers/base64-audio.ts';
import { decodePayload } from '../../src/carriers/media-faults.ts';
import { scanMediaFrame } from '../../src/carriers/scan-media-frame.ts';
import { TwilioMediaProtocol } from '../../src/carriers/twilio/media-protocol.ts';
import { runs, testSeed } from '../support/effort.ts';
import fc from '../support/properties.ts';
import { wireFrames } from './contract.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
const STREAM = 'MZ00000000000000000000000000000001';

function started(): TwilioMediaProtocol {
  const protocol = new TwilioMediaProtocol();
  for (const frame of wireFrames('twilio/media.ndjson').slice(0, 2)) protocol.parse(frame);
  return protocol;
}

/** What the quick way finds is what the whole one finds. */
function agrees(protocol: TwilioMediaProtocol, text: string): boolean {
  const quick = protocol.parseAudio(bytesOf(text));
  if (!quick) return false;
  expect(protocol.parse(text)).toEqual({
    ok: true,
    events: [{ type: 'audio', pcm: new Int16Array(quick) }],
  });
  return true;
}

const shuffled = (fields: Readonly<Record<string, unknown>>) =>
  fc.shuffledSubarray(Object.entries(fields), { minLength: 1 }).map(Object.fromEntries);
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('media', 'inbound', 'outbound', STREAM, 'event'),
);
const payload = fc.oneof(
  fc
    .uint8Array({ minLength: 1, maxLength: 400 })
    .map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.base64String(),
  text,
);

describe('the quick way for a frame of audio', () => {
  test('takes the frames that come all the time', () => {
    const protocol = started();
    const media = wireFrames('twilio/media.ndjson').filter((frame) =>
      String(frame).includes('"event":"media"'),
    );
    expect(media.length).toBeGreaterThan(0);
    for (const frame of media)
      expect(agrees(protocol, JSON.stringify(JSON.parse(String(frame)))), String(frame)).toBe(true);
  });

  test('never finds anything but what JSON and the whole protocol find', () => {
    const protocol = started();
    let taken = 0;
    const media = payload.chain((data) =>
      shuffled({ track: 'inbound', chunk: '2', timestamp: '40', payload: data }),
    );
    const frame = fc.tuple(media, text, text).chain(([inner, key, value]) =>
      shuffled({
        event: 'media',
        streamSid: STREAM,
        sequenceNumber: '3',
        media: inner,
        [key]: value,
      }),
    );
    fc.assert(
      fc.property(frame, (fields) => {
        if (agrees(protocol, JSON.stringify(fields))) taken++;
      }),
      { numRuns: runs({ usual: 400, long: 20_000 }), seed: testSeed(3) },
    );
    expect(taken).toBeGreaterThan(10);
  });

  test('leaves alone what was changed or cut anywhere', () => {
    const protocol = started();
    const good = JSON.stringify({
      event: 'media',
      sequenceNumber: '3',
      media: { track: 'inbound', chunk: '2', timestamp: '40', payload: 'AAECAwQFBgcICQoLDA0ODw==' },
      streamSid: STREAM,
    });
    expect(agrees(protocol, good)).toBe(true);
    const changes = fc.array(
      fc.tuple(fc.nat(good.length), fc.nat(2), fc.string({ maxLength: 3 })),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(changes, (edits) => {
        let changed = good;
        for (const [at, removed, added] of edits)
          changed = changed.slice(0, at) + added + changed.slice(at + removed);
        agrees(protocol, changed);
      }),
      { numRuns: runs({ usual: 1000, long: 50_000 }) },
    );
  });

  test.each([
    ['another stream', `{"event":"media","streamSid":"MZ2","media":{"payload":"AAAA"}}`],
    ['no stream', `{"event":"media","media":{"payload":"AAAA"}}`],
    ['another event', `{"event":"mark","streamSid":"${STREAM}","media":{"payload":"AAAA"}}`],
    [
      'our own voice',
      `{"event":"media","streamSid":"${STREAM}","media":{"track":"outbound","payload":"AAAA"}}`,
    ],
    [
      'a field twice',
      `{"event":"media","streamSid":"${STREAM}","media":{"payload":"AAAA"},"media":{"payload":"BBBB"}}`,
    ],
    ['more behind it', `{"event":"media","streamSid":"${STREAM}","media":{"payload":"AAAA"}} `],
    ['an escape', `{"event":"media","streamSid":"${STREAM}","media":{"payload":"A\\u0041AA"}}`],
  ])('%s is for the whole protocol', (_, frame) => {
    expect(scanMediaFrame(bytesOf(frame), 'streamSid', STREAM)).toBeUndefined();
  });
});

test('base64 is decoded as by the platform, or not at all', () => {
  const audio = new Base64Audio(mulaw);
  fc.assert(
    fc.property(payload, (given) => {
      const bytes = bytesOf(given);
      const quick = audio.decode(bytes, 0, bytes.length);
      if (!quick) return;
      expect(new Int16Array(quick)).toEqual(mulaw.decode(decodePayload(given) as Uint8Array));
    }),
    { numRuns: runs({ usual: 600, long: 30_000 }) },
  );
  const whole = Buffer.from(Array.from({ length: 160 }, (_, i) => i)).toString('base64');
  expect(audio.decode(bytesOf(whole), 0, whole.length)).toHaveLength(160);
});
