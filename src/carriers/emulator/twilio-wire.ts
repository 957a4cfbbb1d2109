import { mulaw } from '../../audio/g711.ts';
import { asRecord, asText, type JsonObject, parseJsonFrame } from '../../lib/json-frame.ts';
import type { WireFrame } from '../../ports/carrier-media.ts';
import { decodePayload } from '../media-faults.ts';
import { type EmulatorWire, refused, type WireCommand } from './wire.ts';

interface Stream {
  readonly streamSid: string;
  readonly accountSid: string;
  readonly callSid: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Twilio's side of a bidirectional media stream. */
export function createTwilioWire(stream: Stream): EmulatorWire {
  const { streamSid, accountSid, callSid } = stream;
  let sequence = 0;
  let chunk = 0;
  const numbered = (event: string, fields: JsonObject): string =>
    JSON.stringify({ event, sequenceNumber: String(++sequence), streamSid, ...fields });

  return {
    returnsMarksOnClear: true,
    start: () => [
      JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }),
      numbered('start', {
        start: {
          streamSid,
          accountSid,
          callSid,
          tracks: ['inbound'],
          mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
          customParameters: stream.parameters,
        },
      }),
    ],
    audio(frame) {
      const payload = Buffer.from(mulaw.encode(frame).buffer).toString('base64');
      const timestamp = String(++chunk * 20);
      const media = { track: 'inbound', chunk: String(chunk), timestamp, payload };
      return [numbered('media', { media })];
    },
    dtmf: (digit) => [numbered('dtmf', { dtmf: { track: 'inbound_track', digit } })],
    mark: (name) => [numbered('mark', { mark: { name } })],
    stop: () => [numbered('stop', { stop: { accountSid, callSid } })],
    receive: (frame) => receive(frame, streamSid),
  };
}

function receive(frame: WireFrame, streamSid: string): WireCommand {
  const json = parseJsonFrame(frame);
  if (!json) return refused('31950');
  if (json.streamSid !== streamSid) return refused('31951-stream-sid');
  switch (json.event) {
    case 'media': {
      const payload = decodePayload(asRecord(json.media)?.payload);
      return payload ? { type: 'audio', pcm: mulaw.decode(payload) } : refused('31950');
    }
    case 'mark': {
      const name = asText(asRecord(json.mark)?.name);
      return name ? { type: 'mark', name } : refused('31950');
    }
    case 'clear':
      return { type: 'clear' };
    default:
      return refused('31924');
  }
}
