import type { WebSocket } from 'ws';
import { heardText } from './vendor-script.ts';

const BLOCK_MS = 10;
/** Mean amplitude of a block with a voice in it; the line's own noise lies far below. */
const VOICE_LEVEL = 80;
/** A shorter silence lies within a word. */
const WORD_GAP_MS = 100;
/** A shorter sound is no word. */
const FIRST_WORD_MS = 200;
const INTERIM_EVERY_MS = 500;
/** Silence is closed as well, now and then. */
const EMPTY_EVERY_MS = 3000;

export interface RecogniserOptions {
  readonly rateHz: number;
  /** Silence after which a final text comes by itself, ms; undefined: only when it is asked for. */
  readonly endpointingMs?: number;
  /** Tells when a voice begins. */
  readonly vadEvents: boolean;
  readonly speaker: number;
  readonly onFinal: () => void;
}

/**
 * A recogniser in Deepgram's words that needs no time. It hears whether there is a voice; its text is final when that is
 * asked for (`Finalize`) or after as much silence as the client has set (`endpointing`), whichever comes first.
 */
export class Recogniser {
  readonly #socket: WebSocket;
  readonly #options: RecogniserOptions;
  readonly #endMs: number;
  #rest: Buffer = Buffer.alloc(0);
  #nowMs = 0;
  #fromMs = 0;
  #voiceMs = 0;
  #silenceMs = 0;
  #interimAtMs = 0;
  #utterance = 0;

  constructor(socket: WebSocket, options: RecogniserOptions) {
    this.#socket = socket;
    this.#options = options;
    const { endpointingMs = Number.POSITIVE_INFINITY } = options;
    this.#endMs = Math.max(WORD_GAP_MS, endpointingMs);
  }

  audio(bytes: Buffer): void {
    const size = (this.#options.rateHz / 1000) * BLOCK_MS * 2;
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    let at = 0;
    for (; at + size <= all.length; at += size) this.#block(all.subarray(at, at + size));
    this.#rest = all.subarray(at);
  }

  finalize(): void {
    this.#final(this.#hasWords, true);
  }

  get #hasWords(): boolean {
    return this.#voiceMs >= FIRST_WORD_MS;
  }

  #block(bytes: Buffer): void {
    this.#nowMs += BLOCK_MS;
    if (isVoice(bytes)) {
      this.#voiceMs += BLOCK_MS;
      this.#silenceMs = 0;
      if (this.#voiceMs === BLOCK_MS && this.#options.vadEvents)
        this.#send({ type: 'SpeechStarted', channel: [0], timestamp: this.#nowMs / 1000 });
    } else this.#silenceMs += BLOCK_MS;
    if (this.#hasWords && this.#silenceMs >= this.#endMs) this.#final(true, false);
    else if (this.#voiceMs === 0 && this.#nowMs - this.#fromMs >= EMPTY_EVERY_MS)
      this.#final(false, false);
    else if (this.#hasWords && this.#nowMs - this.#interimAtMs >= INTERIM_EVERY_MS) {
      this.#interimAtMs = this.#nowMs;
      this.#results(this.#text.split(' ').slice(0, 3).join(' '), {});
    }
  }

  get #text(): string {
    return heardText(this.#options.speaker, this.#utterance);
  }

  #final(hasWords: boolean, isAsked: boolean): void {
    this.#results(hasWords ? this.#text : '', {
      is_final: true,
      speech_final: hasWords,
      from_finalize: isAsked,
    });
    this.#voiceMs = 0;
    this.#fromMs = this.#nowMs;
    if (!hasWords) return;
    this.#utterance++;
    this.#options.onFinal();
  }

  #results(transcript: string, flags: object): void {
    const durationMs = this.#nowMs - this.#fromMs;
    if (durationMs <= 0) return;
    const texts = transcript.split(' ').filter((text) => text !== '');
    const endMs = this.#nowMs - this.#silenceMs;
    const startMs = endMs - Math.min(durationMs, Math.max(this.#voiceMs, 1));
    const wordMs = (endMs - startMs) / Math.max(1, texts.length);
    const words = texts.map((text, n) => ({
      word: text.toLowerCase().replace('.', ''),
      punctuated_word: text,
      start: (startMs + n * wordMs) / 1000,
      end: (startMs + (n + 1) * wordMs) / 1000,
      confidence: 0.98,
    }));
    this.#send({
      type: 'Results',
      channel_index: [0, 1],
      start: this.#fromMs / 1000,
      duration: durationMs / 1000,
      is_final: false,
      speech_final: false,
      from_finalize: false,
      ...flags,
      channel: { alternatives: [{ transcript, confidence: 0.97, words }] },
      metadata: { request_id: 'r-1', model_info: { name: 'general-nova-3' } },
    });
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}

function isVoice(bytes: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at + 1 < bytes.length; at += 4) sum += Math.abs(bytes.readInt16LE(at));
  return sum / (bytes.length / 4) >= VOICE_LEVEL;
}
