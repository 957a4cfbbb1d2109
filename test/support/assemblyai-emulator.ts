import { pcm16FromBytes } from '../../src/audio/pcm16.ts';
import type { HearingScript } from './hearing-script.ts';
import { ToneListener } from './tone-words.ts';
import {
  type EmulatedConnection,
  startVendorSocketEmulator,
  type VendorSocketEmulator,
} from './vendor-socket-emulator.ts';

type Json = Record<string, unknown>;

const KNOWN = new Set([
  ...['sample_rate', 'encoding', 'speech_model', 'format_turns', 'keyterms_prompt', 'token'],
  ...['end_of_turn_confidence_threshold', 'min_turn_silence', 'max_turn_silence', 'vad_threshold'],
  ...['prompt', 'language_codes', 'language_detection', 'inactivity_timeout', 'filter_profanity'],
]);
const PRO = new Set(['universal-3-5-pro', 'universal-3-6-pro']);
const CLASSIC = new Set(['whisper-rt']);
/** How far ahead of real time audio may run before the session is ended. */
const AHEAD_MS = 1500;
const PARTIAL_MS = 200;

/** AssemblyAI's `/v3/ws`. */
export function startAssemblyAiEmulator(script: HearingScript): Promise<VendorSocketEmulator> {
  const ears = new Map<EmulatedConnection, Ear>();
  let opened = 0;
  return startVendorSocketEmulator({
    refuse(request, url) {
      if (script.refuse) return script.refuse;
      if (url.pathname !== '/v3/ws') return { status: 404 };
      const unknown = [...url.searchParams.keys()].find((name) => !KNOWN.has(name));
      if (unknown) return { status: 400, body: { error: `unknown parameter ${unknown}` } };
      const model = url.searchParams.get('speech_model') ?? '';
      if (!PRO.has(model) && !CLASSIC.has(model))
        return { status: 400, body: { error: `unknown speech_model ${model}` } };
      // A key, not a scheme and a key.
      if (script.apiKey !== undefined && request.headers.authorization !== script.apiKey)
        return { status: 401, body: { error: 'Not authorized' } };
      return undefined;
    },
    connected(connection) {
      ears.set(connection, new Ear(script, connection, opened++ === 0));
    },
    frame(connection, frame, isBinary) {
      ears.get(connection)?.take(frame, isBinary);
    },
  });
}

class Ear {
  readonly #script: HearingScript;
  readonly #connection: EmulatedConnection;
  readonly #first: boolean;
  readonly #listener: ToneListener;
  readonly #rateHz: number;
  readonly #silenceMs: number;
  readonly #formats: boolean;
  readonly #pro: boolean;
  readonly #startedAt: number;
  #turn = 0;
  #given = 0;
  #saidAt = 0;

  constructor(script: HearingScript, connection: EmulatedConnection, first: boolean) {
    this.#script = script;
    this.#connection = connection;
    this.#first = first;
    const query = connection.url.searchParams;
    this.#rateHz = Number(query.get('sample_rate') ?? 16_000);
    this.#listener = new ToneListener(this.#rateHz);
    this.#silenceMs = Number(query.get('min_turn_silence') ?? 400);
    this.#startedAt = script.clock.now();
    this.#pro = PRO.has(query.get('speech_model') ?? '');
    this.#formats = !this.#pro && query.get('format_turns') === 'true';
    if (this.#pro && query.has('format_turns')) {
      this.#refuse(3006, 'format_turns is not a parameter of this model');
      return;
    }
    const codes = query.get('language_codes');
    if (codes !== null && (!this.#pro || !Array.isArray(JSON.parse(codes)))) {
      this.#refuse(3006, 'language_codes must be a list, for universal-3-5-pro');
      return;
    }
    const keyterms = query.get('keyterms_prompt');
    if (keyterms !== null && !Array.isArray(JSON.parse(keyterms))) {
      this.#refuse(3006, 'keyterms_prompt is not a list');
      return;
    }
    if (!script.mute) this.#send({ type: 'Begin', id: 's-1', expires_at: 1_790_000_000 });
  }

  take(frame: unknown, isBinary: boolean): void {
    if (this.#script.mute) return;
    if (isBinary) {
      this.#audio(pcm16FromBytes(Buffer.from(frame as Buffer)));
      return;
    }
    const { type } = frame as Json;
    if (type === 'ForceEndpoint') this.#end();
    else if (type === 'Terminate') {
      this.#end();
      this.#send({ type: 'Termination', audio_duration_seconds: 1, session_duration_seconds: 1 });
      this.#connection.socket.close(1000);
    } else if (type !== 'KeepAlive' && type !== 'UpdateConfiguration')
      this.#refuse(3006, 'Invalid message type');
  }

  #audio(pcm: Int16Array): void {
    const ms = (pcm.length * 1000) / this.#rateHz;
    const elapsedMs = this.#script.clock.now() - this.#startedAt;
    if (ms < 50 || ms > 1000) this.#refuse(3007, `Input duration violation: ${ms} ms`);
    else if (this.#listener.receivedMs + ms > elapsedMs + AHEAD_MS)
      this.#refuse(3007, 'Audio transmission rate exceeded');
    else this.#listener.push(pcm, () => this.#step());
  }

  #step(): void {
    const { words, receivedMs, speaking } = this.#listener;
    const { dropAfterWords } = this.#script;
    if (this.#first && dropAfterWords !== undefined && words.length >= dropAfterWords) {
      this.#connection.socket.terminate();
      return;
    }
    if (words.length === this.#given) return;
    const quietMs = speaking ? 0 : receivedMs - (words.at(-1)?.endMs ?? receivedMs);
    if (quietMs >= this.#silenceMs) this.#end();
    else if (receivedMs - this.#saidAt >= PARTIAL_MS) this.#turnFrame(false, false);
  }

  #end(): void {
    this.#listener.flush();
    if (this.#listener.words.length === this.#given) return;
    this.#turnFrame(true, this.#pro);
    if (this.#formats) this.#turnFrame(true, true);
    if (this.#script.repeats) {
      this.#turnFrame(true, this.#formats || this.#pro);
      this.#turnFrame(false, false);
    }
    this.#turn++;
    this.#given = this.#listener.words.length;
  }

  #turnFrame(ended: boolean, formatted: boolean): void {
    this.#saidAt = this.#listener.receivedMs;
    const words = this.#listener.words.slice(this.#given);
    // A classic model's last word of a turn that goes on is not final, and stands in `words` only.
    const final = ended || this.#pro ? words : words.slice(0, -1);
    if (this.#script.garbage && !ended && words.length === 2) this.#connection.socket.send('{');
    this.#send({
      type: 'Turn',
      turn_order: this.#turn,
      turn_is_formatted: formatted,
      end_of_turn: ended,
      transcript: final.map((word) => word.text).join(' '),
      utterance: '',
      end_of_turn_confidence: ended ? 0.8 : 0.02,
      words: words.map(({ text, startMs, endMs }, i) => ({
        text,
        start: startMs,
        end: endMs,
        confidence: 0.97,
        word_is_final: this.#pro ? ended : i < final.length,
      })),
    });
  }

  #refuse(code: number, error: string): void {
    this.#send({ type: 'Error', error_code: code, error });
    this.#connection.socket.close(code, error);
  }

  #send(message: Json): void {
    this.#connection.socket.send(JSON.stringify(message));
  }
}
