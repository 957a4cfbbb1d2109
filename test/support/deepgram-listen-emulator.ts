import { mulaw } from '../../src/audio/g711.ts';
import { pcm16FromBytes } from '../../src/audio/pcm16.ts';
import type { Timer } from '../../src/ports/clock.ts';
import type { Ears, HearingScript } from './hearing-script.ts';
import { ToneListener, type ToneWord } from './tone-words.ts';
import {
  type EmulatedConnection,
  startVendorSocketEmulator,
  type VendorSocketEmulator,
} from './vendor-socket-emulator.ts';

type Json = Record<string, unknown>;

const KNOWN = new Set([
  ...['model', 'language', 'encoding', 'sample_rate', 'channels', 'multichannel', 'keywords'],
  ...['interim_results', 'endpointing', 'utterance_end_ms', 'vad_events', 'punctuate', 'keyterm'],
  ...['smart_format', 'numerals', 'dictation', 'profanity_filter', 'filler_words', 'no_delay'],
  ...['redact', 'replace', 'search', 'tag', 'extra', 'version', 'mip_opt_out', 'diarize'],
]);
const IDLE_MS = 10_000;
const INTERIM_MS = 500;

/** Deepgram's `/v1/listen`. */
export function startDeepgramListenEmulator(script: HearingScript): Promise<VendorSocketEmulator> {
  const ears = new Map<EmulatedConnection, Ear>();
  let opened = 0;
  return startVendorSocketEmulator({
    refuse(request, url) {
      if (script.refuse) return script.refuse;
      if (url.pathname !== '/v1/listen') return { status: 404 };
      const requestId = { 'dg-request-id': 'r-1' };
      if (script.apiKey !== undefined && request.headers.authorization !== `Token ${script.apiKey}`)
        return {
          status: 401,
          headers: { ...requestId, 'dg-error': 'Invalid credentials.' },
          body: { err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.' },
        };
      const why = complaint(url.searchParams);
      return why ? { status: 400, headers: { ...requestId, 'dg-error': why } } : undefined;
    },
    connected(connection) {
      ears.set(connection, new Ear(script, connection, opened++ === 0));
    },
    frame(connection, frame, isBinary) {
      ears.get(connection)?.take(frame, isBinary);
    },
  });
}

function complaint(query: URLSearchParams): string | undefined {
  const unknown = [...query.keys()].find((name) => !KNOWN.has(name));
  if (unknown) return `Unknown parameter ${unknown}`;
  if (!query.get('model')) return 'model is required';
  if (query.get('encoding') && !query.get('sample_rate')) return 'sample_rate is required';
  if (query.has('keywords') && query.get('model')?.startsWith('nova-3'))
    return 'keywords are not supported by nova-3';
  if (query.has('utterance_end_ms') && query.get('interim_results') !== 'true')
    return 'utterance_end_ms needs interim_results';
  return undefined;
}

class Ear {
  readonly #script: HearingScript;
  readonly #connection: EmulatedConnection;
  readonly #first: boolean;
  readonly #listener: Ears;
  readonly #interimMs: number;
  readonly #endpointingMs: number;
  readonly #mulaw: boolean;
  #fromMs = 0;
  #given = 0;
  #interimAt = 0;
  #audioCame = false;
  #idle: Timer;

  constructor(script: HearingScript, connection: EmulatedConnection, first: boolean) {
    this.#script = script;
    this.#connection = connection;
    this.#first = first;
    const query = connection.url.searchParams;
    const rate = Number(query.get('sample_rate'));
    this.#listener = script.ears?.(connection.url, rate) ?? new ToneListener(rate);
    this.#interimMs = script.interimMs ?? INTERIM_MS;
    this.#endpointingMs = Number(query.get('endpointing') ?? 10);
    this.#mulaw = query.get('encoding') === 'mulaw';
    this.#watch();
    void connection.closed.then(() => script.clock.clearTimeout(this.#idle));
  }

  take(frame: unknown, isBinary: boolean) {
    if (this.#script.mute) return;
    if (isBinary) return this.#audio(frame as Buffer);
    const message = frame as Json;
    // Alone, it does not keep a line that never heard anything.
    if (this.#audioCame) this.#watch();
    if (message.type === 'Finalize') this.#finish(true);
    if (message.type === 'CloseStream') this.#bye();
  }

  #audio(bytes: Buffer) {
    if (bytes.length === 0) return this.#bye();
    this.#audioCame = true;
    this.#watch();
    const pcm = this.#mulaw ? mulaw.decode(bytes) : pcm16FromBytes(Buffer.from(bytes));
    this.#listener.push(pcm, () => this.#step());
  }

  #step(): void {
    const { words, receivedMs, speaking } = this.#listener;
    const { dropAfterWords } = this.#script;
    if (this.#first && dropAfterWords !== undefined && words.length >= dropAfterWords) {
      this.#connection.socket.terminate();
      return;
    }
    const quietMs = receivedMs - (words.at(-1)?.endMs ?? this.#fromMs);
    if (!speaking && words.length > this.#given && quietMs >= this.#endpointingMs) {
      this.#finish(false);
    } else if (receivedMs - this.#interimAt >= this.#interimMs) {
      this.#interimAt = receivedMs;
      if (this.#script.garbage && this.#given === 0) this.#connection.socket.send('{"type":');
      this.#results(words.slice(this.#given), false, {});
      // Silence is closed as well, now and then.
      if (words.length === this.#given && !speaking && receivedMs - this.#fromMs >= 3000)
        this.#finish(false);
    }
  }

  #finish(fromFinalize: boolean): void {
    if (fromFinalize) this.#listener.flush();
    const words = this.#listener.words.slice(this.#given);
    const extra = { speech_final: words.length > 0, from_finalize: fromFinalize };
    this.#results(words, true, extra);
    if (this.#script.repeats) {
      this.#results(words, true, extra);
      this.#results(words.slice(0, 1), false, {});
    }
    this.#given = this.#listener.words.length;
    this.#fromMs = this.#listener.receivedMs;
  }

  #results(words: readonly ToneWord[], isFinal: boolean, extra: Json): void {
    const duration = (this.#listener.receivedMs - this.#fromMs) / 1000;
    if (duration <= 0) return;
    const transcript = words.map((word) => word.text).join(' ');
    const timed = words.map(({ text, startMs, endMs }) => ({
      word: text,
      start: startMs / 1000,
      end: endMs / 1000,
      confidence: 0.98,
    }));
    this.#send({
      type: 'Results',
      channel_index: [0, 1],
      start: this.#fromMs / 1000,
      duration,
      is_final: isFinal,
      speech_final: false,
      from_finalize: false,
      ...extra,
      channel: { alternatives: [{ transcript, confidence: 0.97, words: timed }] },
      metadata: { request_id: 'r-1', model_info: { name: 'general-nova-3' } },
    });
  }

  #bye(): void {
    this.#finish(false);
    this.#send({ type: 'Metadata', request_id: 'r-1', channels: 1 });
    this.#connection.socket.close(1000);
  }

  #watch(): void {
    const { clock } = this.#script;
    clock.clearTimeout(this.#idle);
    this.#idle = clock.setTimeout(
      () => this.#connection.socket.close(1011, 'NET-0001: no audio or text for 10 s'),
      IDLE_MS,
    );
  }

  #send(message: Json): void {
    this.#connection.socket.send(JSON.stringify(message));
  }
}
