import { describe, expect, test } from 'vitest';
import { alaw, mulaw } from '../../src/audio/g711.ts';
import { MAX_COMMAND_CHARS } from '../../src/carriers/asterisk/control-protocol.ts';
import { AsteriskMediaProtocol } from '../../src/carriers/asterisk/media-protocol.ts';
import { TelnyxMediaProtocol } from '../../src/carriers/telnyx/media-protocol.ts';
import { TwilioMediaProtocol } from '../../src/carriers/twilio/media-protocol.ts';
import type { WireFrame } from '../../src/ports/carrier-media.ts';
import { mediaContract, wireFrames } from './contract.ts';

const jsonAudio = (frame: WireFrame) => {
  const { event, media } = JSON.parse(String(frame));
  return event === 'media' ? Buffer.from(media.payload, 'base64').length : 0;
};
const STREAM = 'MZ00000000000000000000000000000001';

mediaContract({
  name: 'twilio',
  create: () => new TwilioMediaProtocol(),
  fixture: 'twilio/media.ndjson',
  carrierCallId: 'CA00000000000000000000000000000001',
  endsWithStop: true,
  echo: (name) => JSON.stringify({ event: 'mark', streamSid: STREAM, mark: { name } }),
  audioBytes: jsonAudio,
  wholeFrames: false,
  returnsMarksOnClear: true,
});

mediaContract({
  name: 'telnyx',
  create: () => new TelnyxMediaProtocol(),
  fixture: 'telnyx/media.ndjson',
  carrierCallId: 'v3:abc',
  endsWithStop: true,
  echo: (name) => JSON.stringify({ event: 'mark', mark: { name } }),
  audioBytes: jsonAudio,
  wholeFrames: true,
  returnsMarksOnClear: true,
});

for (const fixture of ['asterisk/media.ndjson', 'asterisk/media-plain.txt']) {
  mediaContract({
    name: fixture,
    create: () => new AsteriskMediaProtocol(),
    fixture,
    carrierCallId: '1735689600.12',
    endsWithStop: false,
    echo: (name) => JSON.stringify({ event: 'MEDIA_MARK_PROCESSED', correlation_id: name }),
    audioBytes: (frame) => (typeof frame === 'string' ? 0 : frame.length),
    wholeFrames: true,
    returnsMarksOnClear: false,
  });
}

describe('of one carrier only', () => {
  test('twilio: another stream, a binary frame and an unknown format are faults', () => {
    const protocol = new TwilioMediaProtocol();
    const [connected, start = '', media = ''] = wireFrames('twilio/media.ndjson').map(String);
    const l16 = String(start).replace('audio/x-mulaw', 'audio/l16');
    expect(protocol.parse(l16)).toMatchObject({ ok: false, fault: { code: 'unsupported-format' } });
    expect(protocol.parse(connected as string)).toEqual({ ok: true, events: [] });
    expect(protocol.parse(start).ok).toBe(true);
    const other = media.replace(STREAM, 'MZ2');
    expect(protocol.parse(other)).toMatchObject({ ok: false, fault: { code: 'other-stream' } });
    expect(protocol.parse(new Uint8Array(160))).toMatchObject({
      ok: false,
      fault: { code: 'binary-frame' },
    });
    const broken = media.replace(/"payload":"[^"]*"/, '"payload":"%%%"');
    expect(protocol.parse(broken)).toMatchObject({ ok: false, fault: { code: 'bad-payload' } });
  });

  test('telnyx: A-law where the leg has it, and chunks put back in order', () => {
    const protocol = new TelnyxMediaProtocol();
    const [, start = '', media = ''] = wireFrames('telnyx/media.ndjson').map(String);
    protocol.parse(start.replace('PCMU', 'PCMA'));
    const chunk = (number: number) => {
      const payload = Buffer.alloc(160, alaw.encode(new Int16Array([number * 500]))[0]);
      return media
        .replace('"chunk":"2"', `"chunk":"${number}"`)
        .replace(/"payload":"[^"]*"/, `"payload":"${payload.toString('base64')}"`);
    };
    const heard = [2, 4, 3, 5, 1, 9, 10, 11, 12].flatMap((number) => {
      const parsed = protocol.parse(chunk(number));
      if (!parsed.ok) throw new Error(parsed.fault.code);
      return parsed.events.map(
        (event) => event.type === 'audio' && Math.round((event.pcm[0] as number) / 500),
      );
    });
    // 1 came too late; 6 to 8 never came, and were not waited for longer than two more chunks.
    expect(heard).toEqual([2, 3, 4, 5, 9, 10, 11, 12]);
  });

  test('asterisk: commands fit the line, signed linear and A-law are spoken too', () => {
    const [start = ''] = wireFrames('asterisk/media.ndjson').map(String);
    const tone = Int16Array.from({ length: 320 }, (_, i) => 8000 * Math.sin(i / 5));
    for (const [format, frameBytes, law] of [
      ['alaw', 160, alaw],
      ['ulaw', 160, mulaw],
      ['slin', 320, undefined],
    ] as const) {
      const protocol = new AsteriskMediaProtocol();
      const sized = start.replace('"optimal_frame_size":160', `"optimal_frame_size":${frameBytes}`);
      protocol.parse(sized.replace('"ulaw"', `"${format}"`));
      const out = protocol.audio(tone);
      expect(out.reduce((sum, frame) => sum + frame.length, 0)).toBe(frameBytes * 2);
      const parsed = protocol.parse(out[0] as Uint8Array);
      const expected = law ? law.decode(law.encode(tone)) : tone;
      expect(parsed).toMatchObject({ ok: true, events: [{ type: 'audio', pcm: expected }] });
      for (const frame of [
        ...protocol.mark('m'.repeat(36)),
        ...protocol.clear(),
        ...protocol.end(),
      ])
        expect(frame.length).toBeLessThanOrEqual(MAX_COMMAND_CHARS);
      expect(() => protocol.mark('m'.repeat(100))).toThrow(RangeError);
    }
    const wide = new AsteriskMediaProtocol().parse(start.replace('"ulaw"', '"slin48"'));
    expect(wide).toMatchObject({ ok: false, fault: { code: 'unsupported-format' } });
  });
});
