import type { WebSocket } from 'ws';
import { CHUNK_EVERY_MS, CHUNK_MS, replyOf, UTTERANCE_MS } from './vendor-script.ts';

/** Of what is no reply of the load. */
const WORD_MS = 300;

interface Format {
  readonly encoding: string;
  readonly sample_rate: number;
}

export interface SpeechRequest {
  readonly context_id: string;
  readonly transcript?: string;
  /** More of the same speech follows in other requests. */
  readonly continue?: boolean;
  readonly cancel?: boolean;
  readonly output_format?: Format;
}

/** One speech, whose text may come in pieces; they sound one after the other. */
interface Speech {
  readonly format: Format;
  readonly pieces: string[];
  isWhole: boolean;
  /** Sound so far. */
  soundMs: number;
  timer?: NodeJS.Timeout;
}

const hums = new Map<string, string>();

/** A chunk of a hum, in base64; made once for each format. */
function hum({ encoding, sample_rate }: Format): string {
  if (encoding !== 'pcm_s16le') throw new Error(`this voice does not speak ${encoding}`);
  const key = String(sample_rate);
  const known = hums.get(key);
  if (known) return known;
  const pcm = Int16Array.from({ length: (sample_rate * CHUNK_MS) / 1000 }, (_, i) =>
    Math.round(6000 * Math.sin((2 * Math.PI * 200 * i) / sample_rate)),
  );
  const made = Buffer.from(pcm.buffer).toString('base64');
  hums.set(key, made);
  return made;
}

/** A voice in Cartesia's words that answers at once and then speaks faster than it is played. */
export class Voice {
  readonly #socket: WebSocket;
  readonly #speeches = new Map<string, Speech>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('close', () => {
      for (const { timer } of this.#speeches.values()) clearTimeout(timer);
    });
  }

  take({ context_id, transcript = '', output_format, ...wanted }: SpeechRequest): void {
    if (wanted.cancel) {
      this.#end(context_id);
      return;
    }
    let speech = this.#speeches.get(context_id);
    if (!speech) {
      if (!output_format) return;
      speech = { format: output_format, pieces: [], isWhole: false, soundMs: 0 };
      this.#speeches.set(context_id, speech);
    }
    if (transcript.trim() !== '') speech.pieces.push(transcript.trim());
    speech.isWhole ||= wanted.continue !== true;
    if (!speech.timer) this.#next(context_id, speech);
  }

  #next(context_id: string, speech: Speech): void {
    const piece = speech.pieces.shift();
    if (piece === undefined) {
      if (speech.isWhole) this.#end(context_id);
      return;
    }
    const lengthMs = lengthMsOf(piece);
    this.#send({
      type: 'timestamps',
      context_id,
      done: false,
      status_code: 206,
      word_timestamps: timings(piece, speech.soundMs, lengthMs),
    });
    this.#chunk(context_id, speech, lengthMs);
  }

  #chunk(context_id: string, speech: Speech, leftMs: number): void {
    const data = hum(speech.format);
    this.#send({ type: 'chunk', context_id, data, done: false, status_code: 206, step_time: 41.2 });
    speech.soundMs += CHUNK_MS;
    const left = leftMs - CHUNK_MS;
    speech.timer = setTimeout(() => {
      delete speech.timer;
      if (left > 0) this.#chunk(context_id, speech, left);
      else this.#next(context_id, speech);
    }, CHUNK_EVERY_MS);
  }

  #end(context_id: string): void {
    clearTimeout(this.#speeches.get(context_id)?.timer);
    this.#speeches.delete(context_id);
    this.#send({ type: 'done', context_id, done: true, status_code: 200 });
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}

const lengthMsOf = (text: string) =>
  replyOf(text) === undefined ? text.split(' ').length * WORD_MS : UTTERANCE_MS;

function timings(text: string, fromMs: number, lengthMs: number) {
  const words = text.split(' ');
  const at = (n: number) => (fromMs + (n * lengthMs) / words.length) / 1000;
  return { words, start: words.map((_, n) => at(n)), end: words.map((_, n) => at(n + 1)) };
}
