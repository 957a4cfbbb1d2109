import { mulaw } from '../../audio/g711.ts';
import { asText, parseJsonFrame } from '../../lib/json-frame.ts';
import type { WireFrame } from '../../ports/carrier-media.ts';
import { MAX_COMMAND_CHARS } from '../asterisk/control-protocol.ts';
import { type EmulatorWire, nothing, refused, type WireCommand } from './wire.ts';

const FRAME_BYTES = 160;
/** Asterisk closes the channel on a larger frame. */
const MAX_FRAME_BYTES = 65_500;

/** Asterisk's side of its WebSocket channel, with JSON control messages and `ulaw`. */
export function createAsteriskWire(channelId: string): EmulatorWire {
  const event = (name: string, fields: Readonly<Record<string, unknown>>) =>
    JSON.stringify({ event: name, channel_id: channelId, ...fields });
  return {
    // Asterisk does not report marks that a flush drops.
    returnsMarksOnClear: false,
    start: () => [
      event('MEDIA_START', {
        connection_id: 'parley',
        channel: `WebSocket/parley/${channelId}`,
        format: 'ulaw',
        optimal_frame_size: FRAME_BYTES,
        ptime: 20,
      }),
    ],
    audio: (frame) => [mulaw.encode(frame)],
    dtmf: (digit) => [event('DTMF_END', { digit })],
    mark: (name) => [event('MEDIA_MARK_PROCESSED', { correlation_id: name })],
    stop: () => [],
    receive,
  };
}

function receive(frame: WireFrame): WireCommand {
  if (typeof frame !== 'string') return receiveAudio(frame);
  // Asterisk ignores longer commands, with a line in its log.
  if (frame.length > MAX_COMMAND_CHARS) return refused('command-too-long');
  const json = parseJsonFrame(frame);
  switch (json?.command) {
    case 'MARK_MEDIA': {
      const name = asText(json.correlation_id);
      return name ? { type: 'mark', name } : refused('no-correlation-id');
    }
    case 'FLUSH_MEDIA':
      return { type: 'clear' };
    case 'HANGUP':
      return { type: 'hangup' };
    case 'ANSWER':
      return nothing;
    default:
      return refused('unknown-command');
  }
}

function receiveAudio(bytes: Uint8Array): WireCommand {
  if (bytes.length > MAX_FRAME_BYTES) return refused('close-1009');
  // Outside buffering mode, Asterisk drops an incomplete frame.
  const whole = bytes.length - (bytes.length % FRAME_BYTES);
  if (whole === 0) return refused('remainder-dropped');
  return { type: 'audio', pcm: mulaw.decode(bytes.subarray(0, whole)) };
}
