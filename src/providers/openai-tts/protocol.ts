import { createPcm16Assembler, type Pcm16Assembler } from '../../audio/pcm16-assembler.ts';
import type { TtsRequest } from '../../ports/tts.ts';
import { DEFAULT_MODELS, DEFAULT_VOICES } from '../vendor-defaults.ts';

/** Headerless PCM16, as the reference endpoint sends it. */
const NATIVE_RATE_HZ = 24_000;
const MIN_SPEED = 0.25;
const MAX_SPEED = 4;
const WAV_HEADER_BYTES = 44;

/** The body of a speech request. */
export function serializeSpeechRequest(request: TtsRequest): string {
  const { settings = {} } = request;
  const speed = typeof settings.speed === 'number' ? settings.speed : 1;
  return JSON.stringify({
    model: settings.modelId || DEFAULT_MODELS.tts.openai.name,
    voice: request.voice || DEFAULT_VOICES.openai.name,
    input: request.text,
    response_format: 'pcm',
    ...(speed === 1 ? {} : { speed: Math.min(MAX_SPEED, Math.max(MIN_SPEED, speed)) }),
  });
}

export interface SpeechAudio {
  readonly pcm: Int16Array;
  readonly sampleRateHz: number;
}

/**
 * Reads a response split at any byte: raw samples, or the data after a WAV header from compatible servers that always
 * send WAV files.
 */
export class SpeechReader {
  readonly #assembler: Pcm16Assembler = createPcm16Assembler();
  #rateHz: number | undefined;
  #held: Uint8Array = new Uint8Array(0);

  push(bytes: Uint8Array): SpeechAudio | undefined {
    if (this.#rateHz !== undefined) return this.#audio(bytes, this.#rateHz);
    this.#held = Buffer.concat([this.#held, bytes]);
    const head = Buffer.from(this.#held.buffer, this.#held.byteOffset, this.#held.length);
    const mayBeWav = 'RIFF'.startsWith(head.toString('latin1', 0, 4));
    if (head.length < 4 && mayBeWav) return undefined;
    if (!mayBeWav) return this.#begin(NATIVE_RATE_HZ, 0);
    if (head.length < WAV_HEADER_BYTES) return undefined;
    return this.#begin(head.readUInt32LE(24), WAV_HEADER_BYTES);
  }

  #begin(rateHz: number, skipBytes: number): SpeechAudio | undefined {
    this.#rateHz = rateHz;
    return this.#audio(this.#held.subarray(skipBytes), rateHz);
  }

  #audio(bytes: Uint8Array, sampleRateHz: number): SpeechAudio | undefined {
    // Copied, because the bytes belong to the connection.
    const pcm = this.#assembler.push(bytes).slice();
    return pcm.length > 0 ? { pcm, sampleRateHz } : undefined;
  }
}
