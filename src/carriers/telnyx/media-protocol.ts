import { alaw, type G711, mulaw } from '../../audio/g711.ts';
import { asRecord, asText, type JsonObject, parseJsonFrame } from '../../lib/json-frame.ts';
import type {
  CarrierMediaEvent,
  CarrierMediaProtocol,
  ParsedMedia,
  WireFrame,
} from '../../ports/carrier-media.ts';
import {
  decodePayload,
  isDigit,
  MAX_TEXT_CHARS,
  mediaEvents,
  mediaFault,
  mediaFaults,
} from '../media-faults.ts';
import { PendingMarks } from '../pending-marks.ts';
import { WholeFrames } from '../whole-frames.ts';
import { ChunkOrder } from './chunk-order.ts';

/** A chunk must hold at least 20 ms. */
const FRAME_BYTES = 160;

const CODECS: Readonly<Record<string, G711>> = {
  PCMU: mulaw,
  'audio/x-mulaw': mulaw,
  PCMA: alaw,
  'audio/x-alaw': alaw,
};

/** Telnyx's media streaming in `rtp` mode: JSON text frames, base64 G.711 in, µ-law out. */
export class TelnyxMediaProtocol implements CarrierMediaProtocol {
  readonly #marks = new PendingMarks();
  readonly #outbound = new WholeFrames(FRAME_BYTES, mulaw.silence);
  readonly #order = new ChunkOrder<Uint8Array>();
  #codec: G711 | undefined;
  #streamId = '';

  parse(frame: WireFrame): ParsedMedia {
    if (typeof frame !== 'string') return mediaFault(mediaFaults.binary);
    if (frame.length > MAX_TEXT_CHARS) return mediaFault(mediaFaults.tooBig);
    const json = parseJsonFrame(frame);
    if (!json) return mediaFault(mediaFaults.notJson);
    if (json.event === 'connected') return mediaEvents();
    if (json.event === 'start') return this.#start(json);
    if (json.event === 'error') return errorEvent(asRecord(json.payload));
    if (!this.#codec) return mediaFault(mediaFaults.unstarted);
    if (json.stream_id !== undefined && json.stream_id !== this.#streamId)
      return mediaFault(mediaFaults.otherStream);
    return this.#next(json, this.#codec);
  }

  audio(pcm: Int16Array): readonly WireFrame[] {
    return mediaFrames(this.#outbound.push(mulaw.encode(pcm)));
  }

  mark(name: string): readonly WireFrame[] {
    this.#marks.sent(name);
    const tail = mediaFrames(this.#outbound.fill());
    return [...tail, JSON.stringify({ event: 'mark', mark: { name } })];
  }

  clear(): readonly WireFrame[] {
    this.#outbound.drop();
    this.#marks.cleared();
    return ['{"event":"clear"}'];
  }

  // Closing the socket does not end the call; a command hangs it up.
  end(): readonly WireFrame[] {
    return [];
  }

  #start(json: JsonObject): ParsedMedia {
    if (this.#codec) return mediaFault(mediaFaults.startTwice);
    const start = asRecord(json.start);
    const format = asRecord(start?.media_format);
    if (!start || !format) return mediaFault(mediaFaults.notJson);
    this.#codec = CODECS[asText(format.encoding)];
    if (!this.#codec || format.sample_rate !== 8000) return mediaFault(mediaFaults.format);
    this.#streamId = asText(json.stream_id);
    const carrierCallId = asText(start.call_control_id);
    return mediaEvents({ type: 'started', ...(carrierCallId ? { carrierCallId } : {}) });
  }

  #next(json: JsonObject, codec: G711): ParsedMedia {
    switch (json.event) {
      case 'media':
        return this.#audio(asRecord(json.media), codec);
      case 'dtmf': {
        const digit = asRecord(json.dtmf)?.digit;
        return isDigit(digit) ? mediaEvents({ type: 'dtmf', digit }) : mediaEvents();
      }
      case 'mark': {
        const name = asText(asRecord(json.mark)?.name);
        return this.#marks.echoed(name) ? mediaEvents({ type: 'mark', name }) : mediaEvents();
      }
      case 'stop':
        return mediaEvents({ type: 'stopped' });
      default:
        return mediaEvents();
    }
  }

  #audio(media: JsonObject | undefined, codec: G711): ParsedMedia {
    if (asText(media?.track).startsWith('outbound')) return mediaEvents();
    const payload = decodePayload(media?.payload);
    if (!payload) return mediaFault(mediaFaults.payload);
    const events = this.#order
      .push(Number(media?.chunk), payload)
      .map((bytes): CarrierMediaEvent => ({ type: 'audio', pcm: codec.decode(bytes) }));
    return mediaEvents(...events);
  }
}

function mediaFrames(payload: Uint8Array): readonly string[] {
  if (payload.length === 0) return [];
  const base64 = Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString('base64');
  return [JSON.stringify({ event: 'media', media: { payload: base64 } })];
}

function errorEvent(payload: JsonObject | undefined): ParsedMedia {
  const code = `telnyx_${payload?.code ?? 'unknown'}`;
  const message = asText(payload?.detail) || asText(payload?.title) || 'the stream has an error';
  return mediaEvents({ type: 'error', code, message });
}
