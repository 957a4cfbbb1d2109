import { rmsDb } from '../../audio/level.ts';
import { abortError, throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { SttOptions, SttStream } from '../../ports/stt.ts';
import { ReplayBuffer, type ReplayEntry } from './replay-buffer.ts';
import { SegmentNames } from './segment-names.ts';
import { StreamClockMap } from './stream-clock-map.ts';
import { type ConnectionSink, SttConnection, unexpected } from './stt-connection.ts';
import type { SttVendor } from './stt-vendor.ts';

type Heard = Parameters<ConnectionSink['heard']>[0];

/** Delays before the attempts to reconnect; after the last one the stream gives up. */
const RECONNECT_MS = [0, 250, 500] as const;
const MAX_WAITING_MS = 5000;
const MAX_KEPT_MS = 8000;
/** VAD reports speech at most this long after its start. */
const ONSET_MS = 500;
/** Maximum bytes not yet accepted by the network; more would only get older. */
const MAX_BUFFERED_BYTES = 64 * 1024;
const RETRY_SEND_MS = 50;
const BEHIND_MS = 300;
const QUIET_DB = -50;
/** Chunk length while nobody speaks; turn-aware vendors, which evaluate the sound itself, get shorter chunks. */
const QUIET_CHUNK_MS = 300;
/** At least this much of each silence is sent, so that it is recognised as a pause. */
const PAUSE_MS = 600;

export interface SttSocketOptions {
  readonly clock: Clock;
  /** 0…1, for the jitter of reconnections. */
  readonly random: () => number;
  /** @defaultValue 5000 */
  readonly connectTimeoutMs?: number;
}

/** One caller's recognition stream, over as many connections as needed. */
export class SocketSttStream implements SttStream {
  readonly #vendor: SttVendor;
  readonly #options: SttSocketOptions;
  readonly #request: SttOptions;
  readonly #clock: Clock;
  readonly #replay: ReplayBuffer;
  readonly #names = new SegmentNames();
  readonly #abort = new AbortController();
  readonly #onAbort = (): void => this.close();
  #connection: SttConnection | undefined;
  #sent = new StreamClockMap();
  #attempts = 0;
  /** All audio up to this position has been recognised. */
  #settledMs = 0;
  /** Speech that may not be in a final text yet. */
  #speech: { readonly fromMs: number; endMs: number | undefined } | undefined;
  #quietMs = 0;
  #budgetMs = 0;
  #budgetAt = 0;
  #sentAt = 0;
  #pumpTimer: Timer;
  #idleTimer: Timer;
  #retryTimer: Timer;
  #closed = false;

  private constructor(vendor: SttVendor, options: SttSocketOptions, request: SttOptions) {
    this.#vendor = vendor;
    this.#options = options;
    this.#request = request;
    this.#clock = options.clock;
    this.#replay = new ReplayBuffer({
      sampleRateHz: request.sampleRateHz,
      chunkMs: vendor.chunkMs,
      ...(vendor.turnAware ? {} : { quietChunkMs: QUIET_CHUNK_MS }),
      minChunkMs: vendor.minChunkMs,
      maxWaitingMs: MAX_WAITING_MS,
      maxKeptMs: MAX_KEPT_MS,
    });
    request.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  static async open(
    vendor: SttVendor,
    options: SttSocketOptions,
    request: SttOptions,
  ): Promise<SocketSttStream> {
    throwIfAborted(request.signal);
    const stream = new SocketSttStream(vendor, options, request);
    try {
      await stream.#connect();
      return stream;
    } catch (error) {
      stream.close();
      throw request.signal.aborted ? abortError(request.signal) : error;
    }
  }

  get droppedMs(): number {
    return this.#replay.droppedMs;
  }

  write(pcm: Int16Array): void {
    if (this.#closed) return;
    this.#replay.write(pcm);
    // Most frames only extend a chunk.
    if (this.#replay.peek()) this.#pump();
  }

  speechStarted(): void {
    if (this.#closed) return;
    const fromMs = Math.max(0, this.#replay.writtenMs - ONSET_MS);
    this.#speech = { fromMs: this.#speech?.fromMs ?? fromMs, endMs: undefined };
    this.#replay.speak();
    this.#pump();
  }

  speechEnded(): void {
    if (this.#closed) return;
    if (this.#speech) this.#speech.endMs = Math.max(0, this.#replay.writtenMs - ONSET_MS);
    this.#replay.pause();
    this.#pump();
  }

  flush(): void {
    if (this.#closed || !this.#vendor.flushesAtLulls) return;
    this.#replay.flush();
    this.#pump();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    for (const timer of [this.#pumpTimer, this.#idleTimer, this.#retryTimer])
      this.#clock.clearTimeout(timer);
    this.#connection?.close();
    this.#connection = undefined;
    this.#abort.abort();
  }

  async #connect(): Promise<void> {
    const { sampleRateHz, languages, hints } = this.#request;
    const connection = await SttConnection.open(
      {
        vendor: this.#vendor,
        setup: { sampleRateHz, languages, hints },
        clock: this.#clock,
        connectTimeoutMs: this.#options.connectTimeoutMs ?? 5000,
        sink: { heard: (frame) => this.#heard(frame), lost: (error) => this.#lost(error) },
      },
      this.#abort.signal,
    );
    if (this.#closed) {
      connection.close();
      return;
    }
    this.#connection = connection;
    this.#sent = new StreamClockMap();
    this.#budgetMs = this.#vendor.burstMs;
    this.#budgetAt = this.#clock.now();
    this.#sentAt = this.#clock.now();
    this.#watchIdle();
    this.#pump();
  }

  #pump(): void {
    const connection = this.#connection;
    if (!connection) return;
    const now = this.#clock.now();
    const { maxSpeed, burstMs } = this.#vendor;
    this.#budgetMs = Math.min(burstMs, this.#budgetMs + (now - this.#budgetAt) * maxSpeed);
    this.#budgetAt = now;
    for (let entry = this.#replay.peek(); entry; entry = this.#replay.peek()) {
      const durationMs = this.#replay.durationMs(entry);
      if (this.#isBehindInSilence(entry)) {
        this.#replay.advance();
        continue;
      }
      if (durationMs > this.#budgetMs || connection.bufferedBytes > MAX_BUFFERED_BYTES) break;
      if (entry.type === 'audio') {
        connection.send(connection.dialogue.audio(entry.pcm));
        this.#sent.audio(entry.startMs, durationMs);
        this.#budgetMs -= durationMs;
      } else if (connection.dialogue.flush !== undefined) {
        connection.send(connection.dialogue.flush);
      }
      this.#replay.advance();
      this.#sentAt = now;
    }
    this.#forgetSilence();
    this.#clock.clearTimeout(this.#pumpTimer);
    if (this.#replay.peek())
      this.#pumpTimer = this.#clock.setTimeout(() => this.#pump(), RETRY_SEND_MS);
  }

  /** Forgets audio that a new connection need not hear: without speech and without an open segment. */
  #forgetSilence(): void {
    const fromMs = this.#speech?.fromMs ?? this.#replay.writtenMs - ONSET_MS;
    this.#replay.forget(Math.min(fromMs, this.#names.openFromMs ?? fromMs));
  }

  /** A stream that lags catches up by skipping silence, as long as a pause stays recognisable. */
  #isBehindInSilence(entry: ReplayEntry): boolean {
    if (entry.type !== 'audio') return false;
    // Without lag, the level of the audio need not be measured.
    if (this.#replay.waitingMs <= BEHIND_MS || rmsDb(entry.pcm) > QUIET_DB) {
      this.#quietMs = 0;
      return false;
    }
    this.#quietMs += this.#replay.durationMs(entry);
    return this.#quietMs > PAUSE_MS;
  }

  #watchIdle(): void {
    this.#clock.clearTimeout(this.#idleTimer);
    const { idleMs } = this.#vendor;
    const dueMs = Math.max(0, this.#sentAt + idleMs - this.#clock.now());
    this.#idleTimer = this.#clock.setTimeout(() => {
      if (this.#clock.now() - this.#sentAt >= idleMs) this.#keepAlive();
      this.#watchIdle();
    }, dueMs);
  }

  /** Before the first audio, a keep-alive message does not keep the connection open, so silence is sent. */
  #keepAlive(): void {
    const connection = this.#connection;
    if (!connection) return;
    const { keepAlive } = connection.dialogue;
    this.#sentAt = this.#clock.now();
    if (keepAlive !== undefined && this.#sent.sentMs > 0) {
      connection.send(keepAlive);
      return;
    }
    const fillerMs = Math.max(this.#vendor.chunkMs, Math.min(this.#vendor.idleMs, 500));
    const silence = new Int16Array(Math.round((this.#request.sampleRateHz * fillerMs) / 1000));
    connection.send(connection.dialogue.audio(silence));
    this.#sent.filler(fillerMs);
  }

  #heard(frame: Heard): void {
    if (this.#closed) return;
    this.#attempts = 0;
    switch (frame.type) {
      case 'interim':
      case 'final': {
        const startMs = this.#sent.writtenAt(frame.startMs);
        const endMs = Math.max(startMs, this.#sent.writtenAt(frame.endMs));
        const segmentId = this.#names.nameOf(frame.segment, startMs);
        if (frame.type === 'final') {
          this.#names.finish(frame.segment);
          this.#settled(endMs);
        }
        const { type, text, confidence } = frame;
        this.#request.onEvent({ type, segmentId, text, startMs, endMs, confidence });
        break;
      }
      case 'settled':
        this.#settled(this.#sent.writtenAt(frame.endMs));
        break;
      case 'eot':
      case 'resumed':
        this.#request.onEvent(frame);
        break;
    }
  }

  #settled(toMs: number): void {
    this.#settledMs = Math.max(this.#settledMs, toMs);
    this.#replay.forget(this.#settledMs);
    const endMs = this.#speech?.endMs;
    if (endMs !== undefined && this.#settledMs >= endMs) this.#speech = undefined;
  }

  #lost(error: ProviderError): void {
    if (this.#closed) return;
    this.#connection = undefined;
    this.#clock.clearTimeout(this.#idleTimer);
    const delayMs = RECONNECT_MS[this.#attempts];
    if (delayMs === undefined || !error.retryable || error.class === 'rate') {
      this.close();
      this.#request.onEvent({ type: 'error', error });
      return;
    }
    this.#attempts++;
    const openFromMs = this.#names.openFromMs ?? Number.POSITIVE_INFINITY;
    this.#names.disconnected();
    const unheardMs = Math.min(openFromMs, this.#speech?.fromMs ?? this.#replay.writtenMs);
    this.#replay.rewind(Math.max(this.#settledMs, unheardMs));
    const spread = 0.5 + this.#options.random();
    this.#retryTimer = this.#clock.setTimeout(() => void this.#reconnect(), delayMs * spread);
  }

  async #reconnect(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      if (this.#closed) return;
      this.#lost(error instanceof ProviderError ? error : unexpected(error, this.#vendor.provider));
    }
  }
}
