import type { WebSocket } from 'ws';
import { monotonicMs } from './messages.ts';
import { heardText } from './vendor-script.ts';

const INTERIM_EVERY_MS = 500;
const FIRST_WORD_MS = 300;
const SILENCE_MS = 3000;
/** Mean amplitude; the line's own noise lies far below. */
const VOICE_LEVEL = 80;
/** Every so many samples are looked at. */
const STRIDE = 8;

/** A recogniser that hears whether there is a voice, in Deepgram's words. */
export class ScriptedEars {
  readonly #socket: WebSocket;
  readonly #rateHz: number;
  readonly #speaker: number;
  readonly #onFinal: (atMs: number) => void;
  #samples = 0;
  #utterance = 0;
  #fromMs = 0;
  #voiceMs = 0;
  #interimAtMs = 0;

  constructor(socket: WebSocket, rateHz: number, speaker: number, onFinal: (atMs: number) => void) {
    this.#socket = socket;
    this.#rateHz = rateHz;
    this.#speaker = speaker;
    this.#onFinal = onFinal;
  }

  audio(bytes: Buffer): void {
    let sum = 0;
    let count = 0;
    for (let at = 0; at + 1 < bytes.length; at += 2 * STRIDE) {
      sum += Math.abs(bytes.readInt16LE(at));
      count++;
    }
    const durationMs = (bytes.length * 500) / this.#rateHz;
    this.#samples += bytes.length / 2;
    if (sum / count >= VOICE_LEVEL) this.#voiceMs += durationMs;
    const now = this.#nowMs;
    // Silence is closed as well, now and then.
    if (this.#voiceMs === 0 && now - this.#fromMs >= SILENCE_MS) {
      this.#results('', true);
      this.#fromMs = now;
    }
    const due = this.#voiceMs >= FIRST_WORD_MS && now - this.#interimAtMs >= INTERIM_EVERY_MS;
    if (!due) return;
    this.#interimAtMs = now;
    this.#results(this.#text.split(' ').slice(0, 3).join(' '), false);
  }

  finalize(): void {
    const heard = this.#voiceMs >= FIRST_WORD_MS;
    this.#results(heard ? this.#text : '', true);
    if (heard) {
      this.#onFinal(monotonicMs());
      this.#utterance++;
    }
    this.#voiceMs = 0;
    this.#fromMs = this.#nowMs;
  }

  get #nowMs(): number {
    return (this.#samples * 1000) / this.#rateHz;
  }

  get #text(): string {
    return heardText(this.#speaker, this.#utterance);
  }

  #results(transcript: string, isFinal: boolean): void {
    const durationMs = this.#nowMs - this.#fromMs;
    if (durationMs <= 0) return;
    const texts = transcript.split(' ').filter((text) => text !== '');
    const startMs = this.#nowMs - Math.max(this.#voiceMs, 1);
    const wordMs = (this.#nowMs - startMs) / Math.max(1, texts.length);
    const words = texts.map((text, n) => ({
      word: text,
      start: (startMs + n * wordMs) / 1000,
      end: (startMs + (n + 1) * wordMs) / 1000,
      confidence: 0.98,
    }));
    this.#socket.send(
      JSON.stringify({
        type: 'Results',
        channel_index: [0, 1],
        start: this.#fromMs / 1000,
        duration: durationMs / 1000,
        is_final: isFinal,
        speech_final: isFinal && words.length > 0,
        from_finalize: isFinal,
        channel: { alternatives: [{ transcript, confidence: 0.97, words }] },
        metadata: { request_id: 'r-1', model_info: { name: 'general-nova-3' } },
      }),
    );
  }
}
