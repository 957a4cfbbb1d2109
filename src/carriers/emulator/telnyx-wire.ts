import { mulaw } from '../../audio/g711.ts';
import { asRecord, asText, type JsonObject, parseJsonFrame } from '../../lib/json-frame.ts';
import type { WireFrame } from '../../ports/carrier-media.ts';
import { decodePayload } from '../media-faults.ts';
import { type EmulatorWire, nothing, refused, type WireCommand } from './wire.ts';

interface Stream {
  readonly streamId: string;
  readonly callControlId: string;
  readonly from: string;
  readonly to: string;
  readonly clientState: string | null;
  /** `stream_bidirectional_mode`; unless it is `rtp`, Telnyx silently drops raw audio. */
  readonly mode: string;
}

/** Telnyx refuses chunks shorter than 20 ms. */
const MIN_CHUNK_BYTES = 160;

/** Telnyx's side of a media stream. Swaps every third and fourth chunk, since its documentation warns of reordering. */
export function createTelnyxWire(stream: Stream): EmulatorWire {
  const { streamId, callControlId } = stream;
  let sequence = 0;
  let chunk = 0;
  let held: string | undefined;
  const numbered = (event: string, fields: JsonObject): string =>
    JSON.stringify({
      event,
      sequence_number: String(++sequence),
      stream_id: streamId,
      ...fields,
    });

  return {
    returnsMarksOnClear: true,
    start: () => [
      JSON.stringify({ event: 'connected', version: '1.0.0' }),
      numbered('start', {
        start: {
          user_id: '66666666-6666-4666-8666-666666666666',
          call_control_id: callControlId,
          call_session_id: `session-${callControlId}`,
          from: stream.from,
          to: stream.to,
          tags: [],
          client_state: stream.clientState,
          media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
        },
      }),
    ],
    audio(frame) {
      const payload = Buffer.from(mulaw.encode(frame).buffer).toString('base64');
      const timestamp = String(++chunk * 20);
      const media = { track: 'inbound', chunk: String(chunk), timestamp, payload };
      const message = numbered('media', { media });
      if (chunk % 4 === 3) {
        held = message;
        return [];
      }
      const late = held;
      held = undefined;
      return late === undefined ? [message] : [message, late];
    },
    dtmf: (digit) => [numbered('dtmf', { dtmf: { digit } })],
    mark: (name) => [numbered('mark', { mark: { name } })],
    stop: () => [numbered('stop', { stop: { call_control_id: callControlId } })],
    receive: (frame) => receive(frame, stream),
  };
}

function receive(frame: WireFrame, { streamId, mode }: Stream): WireCommand {
  const json = parseJsonFrame(frame);
  if (!json) return refused('100003', error(streamId, 100_003, 'malformed_frame'));
  switch (json.event) {
    case 'media': {
      if (mode !== 'rtp') return nothing;
      const payload = decodePayload(asRecord(json.media)?.payload);
      if (!payload || payload.length < MIN_CHUNK_BYTES)
        return refused('100004', error(streamId, 100_004, 'invalid_media'));
      return { type: 'audio', pcm: mulaw.decode(payload) };
    }
    case 'mark': {
      const name = asText(asRecord(json.mark)?.name);
      return name
        ? { type: 'mark', name }
        : refused('100003', error(streamId, 100_003, 'malformed_frame'));
    }
    case 'clear':
      return { type: 'clear' };
    default:
      return refused('100002', error(streamId, 100_002, 'unknown_error'));
  }
}

function error(streamId: string, code: number, title: string): string {
  return JSON.stringify({
    event: 'error',
    stream_id: streamId,
    payload: { code, title, detail: title },
  });
}
