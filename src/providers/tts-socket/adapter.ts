import { mulaw } from '../../audio/g711.ts';
import { createPcm16Assembler } from '../../audio/pcm16-assembler.ts';
import { orAborted, throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import { PartQueue } from '../../lib/part-queue.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';
import { type SpeechSink, TtsConnection } from './tts-connection.ts';
import type { AudioFormat, SpeechFrame, TtsVendor, Utterance } from './tts-vendor.ts';
import { WrittenWords } from './written-words.ts';

/** The voice settings of a request, independent of its text. */
export type VoiceManner = Omit<TtsRequest, 'text' | 'signal'>;

export interface TtsSocketOptions {
  readonly clock: Clock;
  /** Source of context ids. */
  readonly createId: () => string;
  /** From the request to the first audio. @defaultValue 5000 */
  readonly firstAudioMs?: number;
  /** Longest pause between two frames of one utterance. @defaultValue 4000 */
  readonly stallMs?: number;
}

/** A voice whose connections its owner closes. */
export interface TtsSocket extends Tts {
  /** Connects if no open connection has room for such an utterance. */
  warm(request: VoiceManner): void;
  close(): void;
}

const MAX_PARTS = 10_000;

/** TTS over a vendor's WebSocket; connections are shared, and kept while in use. */
export function createTtsSocket(vendor: TtsVendor, options: TtsSocketOptions): TtsSocket {
  const pool = new ConnectionPool(vendor, options.clock);
  return {
    provider: vendor.provider,
    synthesize: (request) => synthesize(vendor, pool, options, request),
    warm(manner) {
      const request = { ...manner, text: '', signal: new AbortController().signal };
      pool.warm(vendor.url(utteranceOf(vendor, request)));
    },
    close: () => pool.close(),
  };
}

class ConnectionPool {
  readonly #vendor: TtsVendor;
  readonly #clock: Clock;
  readonly #connections = new Map<string, Set<TtsConnection>>();
  readonly #warming = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(vendor: TtsVendor, clock: Clock) {
    this.#vendor = vendor;
    this.#clock = clock;
  }

  /** Reserves a context on a connection; opens a new one when none has room or when `fresh`. */
  async take(
    url: string,
    contextId: string,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<TtsConnection> {
    const warming = fresh ? undefined : this.#warming.get(url);
    if (warming) await orAborted(warming, signal);
    const open = this.#connections.get(url) ?? [];
    const free = fresh ? undefined : [...open].find((connection) => connection.hasRoom);
    const connection = free ?? (await this.#open(url, signal));
    connection.reserve(contextId);
    return connection;
  }

  async #open(url: string, signal: AbortSignal): Promise<TtsConnection> {
    const connection = await TtsConnection.open(
      this.#vendor,
      this.#clock,
      url,
      (gone) => {
        const connections = this.#connections.get(url);
        connections?.delete(gone);
        if (connections?.size === 0) this.#connections.delete(url);
      },
      signal,
    );
    const others = this.#connections.get(url) ?? new Set<TtsConnection>();
    others.add(connection);
    this.#connections.set(url, others);
    return connection;
  }

  /** A failure to connect in advance is ignored: the request will report it. */
  warm(url: string): void {
    const open = this.#connections.get(url);
    if (this.#warming.has(url) || (open && [...open].some((connection) => connection.hasRoom)))
      return;
    const opening = this.#open(url, this.#closing.signal)
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.#warming.delete(url));
    this.#warming.set(url, opening);
  }

  close(): void {
    this.#closing.abort();
    for (const open of [...this.#connections.values()])
      for (const connection of [...open]) connection.close();
  }
}

function utteranceOf(vendor: TtsVendor, request: TtsRequest): Utterance {
  if (request.text.length > vendor.maxTextChars) {
    throw new ProviderError({
      class: 'invalid',
      provider: vendor.provider,
      code: 'text_too_long',
      message: `The text has ${request.text.length} characters; ${vendor.provider} takes ${vendor.maxTextChars}`,
    });
  }
  return {
    text: request.text,
    voice: request.voice ?? '',
    language: request.language,
    settings: request.settings ?? {},
    format: vendor.format(request.sampleRateHz),
  };
}

async function* synthesize(
  vendor: TtsVendor,
  pool: ConnectionPool,
  options: TtsSocketOptions,
  request: TtsRequest,
): AsyncGenerator<TtsPart, void, undefined> {
  const { signal } = request;
  throwIfAborted(signal);
  const utterance = utteranceOf(vendor, request);
  // For a text without letters or digits, vendors send nothing or an error.
  if (!/[\p{L}\p{N}]/u.test(utterance.text)) return;
  for (let attempt = 0; ; attempt++) {
    const contextId = options.createId();
    const connection = await pool.take(vendor.url(utterance), contextId, attempt > 0, signal);
    const inbox = new Inbox(vendor, utterance, options);
    const drop = (): void => connection.drop(contextId);
    signal.addEventListener('abort', drop, { once: true });
    try {
      throwIfAborted(signal);
      connection.speak(contextId, utterance, inbox);
      yield* inbox.parts.read(signal);
      return;
    } catch (error) {
      // A kept connection may have died unnoticed: this utterance has received nothing, so retry it.
      const stale = attempt === 0 && !inbox.heard && error instanceof ProviderError;
      if (!(stale && error.class === 'network')) throw error;
    } finally {
      inbox.stop();
      signal.removeEventListener('abort', drop);
      drop();
    }
  }
}

/** Collects the frames of one utterance and enforces its timeouts. */
class Inbox implements SpeechSink {
  readonly parts = new PartQueue<TtsPart>();
  /** True once any frame has arrived. */
  heard = false;
  readonly #provider: string;
  readonly #options: TtsSocketOptions;
  readonly #format: AudioFormat;
  readonly #assembler = createPcm16Assembler();
  readonly #words: WrittenWords;
  #samples = 0;
  #timed = false;
  #timer: Timer;

  constructor(vendor: TtsVendor, utterance: Utterance, options: TtsSocketOptions) {
    this.#provider = vendor.provider;
    this.#options = options;
    this.#format = utterance.format;
    this.#words = new WrittenWords(utterance.text);
    this.#expect(options.firstAudioMs ?? 5000, 'first_audio_timeout', 'sent no audio');
  }

  frame(frame: Exclude<SpeechFrame, { type: 'error' }>): void {
    this.heard = true;
    if (frame.type === 'end') this.#end();
    else if (frame.type === 'timings') this.#time(frame.timings);
    else this.#hear(frame);
  }

  #hear(frame: Extract<SpeechFrame, { type: 'audio' }>): void {
    const startMs = (this.#samples * 1000) / this.#format.sampleRateHz;
    const pcm = this.#decode(frame.bytes);
    this.#samples += pcm.length;
    if (pcm.length > 0)
      this.parts.push({ type: 'audio', pcm, sampleRateHz: this.#format.sampleRateHz });
    if (frame.timings) {
      this.#time(
        frame.timings.map((timing) => ({
          text: timing.text,
          startMs: startMs + timing.startMs,
          endMs: startMs + timing.endMs,
        })),
      );
    }
    if (this.parts.size > MAX_PARTS)
      this.failed(this.#failure('protocol', 'too_much_audio', 'sent more than can be spoken'));
    else this.#expect(this.#options.stallMs ?? 4000, 'stalled', 'fell silent in mid-utterance');
  }

  failed(error: ProviderError): void {
    this.stop();
    this.parts.fail(error);
  }

  stop(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #end(): void {
    if (this.#samples === 0) {
      this.failed(this.#failure('silent', 'no_audio', 'answered without any audio'));
      return;
    }
    this.stop();
    const words = this.#timed ? this.#words.end() : [];
    if (words.length > 0) this.parts.push({ type: 'words', words });
    this.parts.end();
  }

  #time(timings: Parameters<WrittenWords['take']>[0]): void {
    this.#timed = true;
    const words = this.#words.take(timings);
    if (words.length > 0) this.parts.push({ type: 'words', words });
  }

  /** Copies, because the socket reuses its buffer. */
  #decode(bytes: Uint8Array): Int16Array {
    if (this.#format.encoding === 'mulaw') return mulaw.decode(bytes);
    return this.#assembler.push(bytes).slice();
  }

  #expect(withinMs: number, code: string, what: string): void {
    this.stop();
    this.#timer = this.#options.clock.setTimeout(() => {
      this.parts.fail(this.#failure('timeout', code, `${what} for ${withinMs} ms`));
    }, withinMs);
  }

  #failure(
    failureClass: 'timeout' | 'silent' | 'protocol',
    code: string,
    what: string,
  ): ProviderError {
    const provider = this.#provider;
    return new ProviderError({
      class: failureClass,
      provider,
      code,
      message: `${provider} ${what}`,
    });
  }
}
