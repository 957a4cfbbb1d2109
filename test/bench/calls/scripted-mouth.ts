import type { WebSocket } from 'ws';
import { CHUNK_EVERY_MS, CHUNK_MS, replyOf, UTTERANCE_MS } from './vendor-script.ts';

/** Of what is no reply of the load. */
const WORD_MS = 300;

interface Wanted {
  readonly context_id: string;
  readonly transcript?: string;
  readonly cancel?: boolean;
  readonly output_format?: { readonly encoding: string; readonly sample_rate: number };
}

const chunks = new Map<string, string>();

/** A chunk of a hum, in base64; made once for each format. */
function chunkOf({ encoding, sample_rate }: { encoding: string; sample_rate: number }): string {
  const key = `${encoding} ${sample_rate}`;
  const known = chunks.get(key);
  if (known) return known;
  const samples = (sample_rate * CHUNK_MS) / 1000;
  const pcm = Int16Array.from({ length: samples }, (_, i) =>
    Math.round(6000 * Math.sin((2 * Math.PI * 200 * i) / sample_rate)),
  );
  // Louder and quieter codes of µ-law, half of them negative: a sound all the same.
  const mulaw = Uint8Array.from(
    { length: samples },
    (_, i) => 0x90 + (i % 32) + (i % 64 < 32 ? 0 : 0x40),
  );
  const bytes = encoding === 'pcm_mulaw' ? Buffer.from(mulaw) : Buffer.from(pcm.buffer);
  const made = bytes.toString('base64');
  chunks.set(key, made);
  return made;
}

/** A voice in Cartesia's words, which comes faster than it is played; all replies of the load are of one length. */
export class ScriptedMouth {
  readonly #socket: WebSocket;
  readonly #speaking = new Map<string, NodeJS.Timeout>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('close', () => {
      for (const timer of this.#speaking.values()) clearTimeout(timer);
    });
  }

  take(wanted: Wanted): void {
    const { context_id } = wanted;
    if (wanted.cancel) this.#end(context_id);
    else this.#speak(wanted, 0);
  }

  #speak(wanted: Wanted, n: number): void {
    const { context_id, transcript = '', output_format } = wanted;
    if (!output_format) return;
    // A question has none: a barge-in into it has no end of a word to wait for.
    if (n === 0 && !transcript.endsWith('?')) {
      const word_timestamps = timings(transcript);
      this.#send({ type: 'timestamps', context_id, done: false, word_timestamps });
    }
    const data = chunkOf(output_format);
    this.#send({ type: 'chunk', context_id, data, done: false, status_code: 206, step_time: 41.2 });
    if ((n + 1) * CHUNK_MS >= lengthMsOf(transcript)) this.#end(context_id);
    else
      this.#speaking.set(
        context_id,
        setTimeout(() => this.#speak(wanted, n + 1), CHUNK_EVERY_MS),
      );
  }

  #end(context_id: string): void {
    clearTimeout(this.#speaking.get(context_id));
    this.#speaking.delete(context_id);
    this.#send({ type: 'done', context_id, done: true, status_code: 200 });
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}

const lengthMsOf = (text: string) =>
  replyOf(text) === undefined ? text.split(' ').length * WORD_MS : UTTERANCE_MS;

function timings(text: string) {
  const words = text.split(' ');
  const each = lengthMsOf(text) / 1000 / words.length;
  return { words, start: words.map((_, n) => n * each), end: words.map((_, n) => (n + 1) * each) };
}
