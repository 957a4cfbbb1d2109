import { mulaw } from '../../audio/g711.ts';
import { asRecord, asText, type JsonObject, parseJsonFrame } from '../../lib/json-frame.ts';
import type { CarrierMediaProtocol, ParsedMedia, WireFrame } from '../../ports/carrier-media.ts';
import { Base64Audio } from '../base64-audio.ts';
import {
  decodePayload,
  isDigit,
  MAX_TEXT_CHARS,
  mediaEvents,
  mediaFault,
  mediaFaults,
} from '../media-faults.ts';
import { PendingMarks } from '../pending-marks.ts';
import { scanMediaFrame } from '../scan-media-frame.ts';

/** About a second of audio; larger frames are rare enough to be parsed as JSON. */
const MAX_QUICK_BYTES = 12 * 1024;

/** Twilio's Media Streams, bidirectional: JSON text frames, base64 µ-law at 8 kHz. */
export class TwilioMediaProtocol implements CarrierMediaProtocol {
  readonly #marks = new PendingMarks();
  readonly #audio = new Base64Audio(mulaw);
  #streamSid: string | undefined;
  #quotedSid = '""';

  parse(frame: WireFrame): ParsedMedia {
    if (typeof frame !== 'string') return mediaFault(mediaFaults.binary);
    if (frame.length > MAX_TEXT_CHARS) return mediaFault(mediaFaults.tooBig);
    const json = parseJsonFrame(frame);
    if (!json) return mediaFault(mediaFaults.notJson);
    if (json.event === 'connected') return mediaEvents();
    if (json.event === 'start') return this.#start(json);
    if (this.#streamSid === undefined) return mediaFault(mediaFaults.unstarted);
    if (json.streamSid !== this.#streamSid) return mediaFault(mediaFaults.otherStream);
    return this.#next(json);
  }

  parseAudio(bytes: Uint8Array): Int16Array | undefined {
    if (this.#streamSid === undefined || bytes.length > MAX_QUICK_BYTES) return undefined;
    const audio = scanMediaFrame(bytes, 'streamSid', this.#streamSid);
    return audio && this.#audio.decode(bytes, audio.from, audio.to);
  }

  audio(pcm: Int16Array): readonly WireFrame[] {
    if (pcm.length === 0) return [];
    const payload = Buffer.from(mulaw.encode(pcm).buffer).toString('base64');
    // Base64 needs no escapes.
    return [`{"event":"media","streamSid":${this.#quotedSid},"media":{"payload":"${payload}"}}`];
  }

  mark(name: string): readonly WireFrame[] {
    this.#marks.sent(name);
    return [this.#frame({ event: 'mark', mark: { name } })];
  }

  clear(): readonly WireFrame[] {
    this.#marks.cleared();
    return [this.#frame({ event: 'clear' })];
  }

  // There is no message for it: when the socket closes, Twilio goes on in the document.
  end(): readonly WireFrame[] {
    return [];
  }

  #start(json: JsonObject): ParsedMedia {
    if (this.#streamSid !== undefined) return mediaFault(mediaFaults.startTwice);
    const start = asRecord(json.start);
    const format = asRecord(start?.mediaFormat);
    const streamSid = asText(json.streamSid);
    if (!start || streamSid === '') return mediaFault(mediaFaults.notJson);
    if (format?.encoding !== 'audio/x-mulaw' || format.sampleRate !== 8000)
      return mediaFault(mediaFaults.format);
    this.#streamSid = streamSid;
    this.#quotedSid = JSON.stringify(streamSid);
    const carrierCallId = asText(start.callSid);
    return mediaEvents({ type: 'started', ...(carrierCallId ? { carrierCallId } : {}) });
  }

  #next(json: JsonObject): ParsedMedia {
    switch (json.event) {
      case 'media':
        return audioEvents(asRecord(json.media));
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
        // Twilio may add events at any time.
        return mediaEvents();
    }
  }

  #frame(fields: JsonObject): string {
    const { event, ...rest } = fields;
    return JSON.stringify({ event, streamSid: this.#streamSid, ...rest });
  }
}

function audioEvents(media: JsonObject | undefined): ParsedMedia {
  if (media?.track === 'outbound') return mediaEvents();
  const payload = decodePayload(media?.payload);
  if (!payload) return mediaFault(mediaFaults.payload);
  return mediaEvents({ type: 'audio', pcm: mulaw.decode(payload) });
}
