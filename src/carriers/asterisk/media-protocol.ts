import { alaw, type G711, mulaw } from '../../audio/g711.ts';
import { bytesFromPcm16, pcm16FromBytes } from '../../audio/pcm16.ts';
import type { CarrierMediaProtocol, ParsedMedia, WireFrame } from '../../ports/carrier-media.ts';
import { isDigit, mediaEvents, mediaFault, mediaFaults } from '../media-faults.ts';
import { WholeFrames } from '../whole-frames.ts';
import {
  type AsteriskMessage,
  parseAsteriskMessage,
  serializeAsteriskCommand,
} from './control-protocol.ts';
import { callOfMediaChannel } from './media-channel.ts';

/** Asterisk closes the call on a frame above 65,535 bytes, header included. */
const MAX_MESSAGE_BYTES = 32_000;

interface Format {
  readonly sampleRateHz: number;
  readonly silence: number;
  readonly frameBytes: number;
  decode(bytes: Uint8Array): Int16Array;
  encode(pcm: Int16Array): Uint8Array;
}

const g711 = (law: G711): Format => ({
  sampleRateHz: 8000,
  silence: law.silence,
  frameBytes: 160,
  decode: (bytes) => law.decode(bytes),
  encode: (pcm) => law.encode(pcm),
});

const linear = (sampleRateHz: number): Format => ({
  sampleRateHz,
  silence: 0,
  frameBytes: sampleRateHz / 25,
  decode: (bytes) => pcm16FromBytes(bytes),
  encode: (pcm) => bytesFromPcm16(pcm),
});

const FORMATS: Readonly<Record<string, Format>> = {
  ulaw: g711(mulaw),
  alaw: g711(alaw),
  slin: linear(8000),
  slin16: linear(16_000),
};

/** Asterisk's `chan_websocket`: raw audio in binary frames, control in text. */
export class AsteriskMediaProtocol implements CarrierMediaProtocol {
  #format: Format | undefined;
  #outbound: WholeFrames | undefined;

  get sampleRateHz(): number | undefined {
    return this.#format?.sampleRateHz;
  }

  parse(frame: WireFrame): ParsedMedia {
    if (typeof frame !== 'string') return this.#audioIn(frame);
    const message = parseAsteriskMessage(frame);
    if (!message) return mediaFault(mediaFaults.notJson);
    if (message.event === 'MEDIA_START') return this.#start(message);
    return this.#format ? this.#next(message) : mediaFault(mediaFaults.unstarted);
  }

  audio(pcm: Int16Array): readonly WireFrame[] {
    if (!this.#format || !this.#outbound) return [];
    return messages(this.#outbound.push(this.#format.encode(pcm)));
  }

  mark(name: string): readonly WireFrame[] {
    const tail = messages(this.#outbound?.fill() ?? new Uint8Array(0));
    return [...tail, serializeAsteriskCommand('MARK_MEDIA', name)];
  }

  // Asterisk never reports marks that it flushed.
  clear(): readonly WireFrame[] {
    this.#outbound?.drop();
    return [serializeAsteriskCommand('FLUSH_MEDIA')];
  }

  end(): readonly WireFrame[] {
    return [serializeAsteriskCommand('HANGUP')];
  }

  #start({ fields }: AsteriskMessage): ParsedMedia {
    if (this.#format) return mediaFault(mediaFaults.startTwice);
    this.#format = FORMATS[fields.format ?? ''];
    if (!this.#format) return mediaFault(mediaFaults.format);
    const frameBytes = Number(fields.optimal_frame_size) || this.#format.frameBytes;
    this.#outbound = new WholeFrames(frameBytes, this.#format.silence);
    const carrierCallId = callOfMediaChannel(fields.channel_id ?? '');
    return mediaEvents({ type: 'started', ...(carrierCallId ? { carrierCallId } : {}) });
  }

  #next({ event, fields }: AsteriskMessage): ParsedMedia {
    switch (event) {
      case 'DTMF_END':
        return isDigit(fields.digit)
          ? mediaEvents({ type: 'dtmf', digit: fields.digit })
          : mediaEvents();
      case 'MEDIA_MARK_PROCESSED':
        return fields.correlation_id
          ? mediaEvents({ type: 'mark', name: fields.correlation_id })
          : mediaEvents();
      case 'MEDIA_XOFF':
        return mediaEvents({ type: 'congested', on: true });
      case 'MEDIA_XON':
        return mediaEvents({ type: 'congested', on: false });
      case 'ERROR':
        return mediaEvents({
          type: 'error',
          code: 'asterisk_error',
          message: fields.error_text ?? 'a command was refused',
        });
      default:
        return mediaEvents();
    }
  }

  #audioIn(bytes: Uint8Array): ParsedMedia {
    if (!this.#format) return mediaFault(mediaFaults.unstarted);
    const isWhole = this.#format.frameBytes === 160 || bytes.length % 2 === 0;
    if (!isWhole) return mediaFault(mediaFaults.payload);
    return mediaEvents({ type: 'audio', pcm: this.#format.decode(bytes) });
  }
}

function messages(bytes: Uint8Array): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += MAX_MESSAGE_BYTES)
    parts.push(bytes.subarray(at, at + MAX_MESSAGE_BYTES));
  return parts;
}
