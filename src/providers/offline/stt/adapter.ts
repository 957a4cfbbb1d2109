import { availableParallelism } from 'node:os';
import { ProviderError } from '../../../lib/errors.ts';
import type { IdleRule } from '../../../lib/idle-end.ts';
import { systemClock } from '../../../lib/system-clock.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Stt, SttOptions, SttStream } from '../../../ports/stt.ts';
import { findLanguage, languageTags } from './languages.ts';
import { type FromWorker, RECOGNISER_RATE_HZ } from './protocol.ts';
import type { RecogniserThread } from './recogniser-thread.ts';
import { OfflineSttStream } from './stream.ts';
import { ThreadPool } from './thread-pool.ts';

/** The parts of an assistant's phrases that cannot be recognised. */
export interface GrammarNotice {
  readonly unknownWords: readonly string[];
  readonly droppedPhrases: number;
}

export interface OfflineSttOptions {
  /** Maximum number of threads. @defaultValue all cores but one, four at most */
  readonly maxThreads?: number;
  /** Callers who can speak at the same time per thread; others wait. 16 MB each. @defaultValue 6 */
  readonly slotsPerThread?: number;
  /** Includes loading the model for the first stream. @defaultValue 15000 */
  readonly openTimeoutMs?: number;
  /** Called when some of a call's phrases cannot be recognised. */
  readonly onNotice?: (notice: GrammarNotice) => void;
  readonly clock?: Clock;
  readonly idle?: IdleRule;
  /**
   * Each stream has a decoder of its own, so that nothing that another one heard changes what it hears: equal sound
   * gives equal words at equal times. @defaultValue false
   */
  readonly ownDecoders?: boolean;
}

/** A stream that tells when its thread has nothing left to do. */
export interface OfflineStream extends SttStream {
  /** True if all that was written and is not kept for a later batch is processed, and no final is due. */
  readonly isSettled: boolean;
  settled(): Promise<void>;
}

/** The offline recogniser: it recognises what an assistant can be asked, and reports when it heard something else. */
export interface OfflineStt extends Stt {
  open(options: SttOptions): Promise<OfflineStream>;
  /** Starts a thread with the model of the first supported language (BCP 47), unless one runs. Rejects like `open`. */
  start(languages: readonly string[]): Promise<void>;
  /** Stops the threads. */
  close(): Promise<void>;
}

/** Measured with the recordings on two busy cores: 8 to 28 ms when recognised, up to 95 after a second decoding. */
const FINAL_LATENCY_P99_MS = 100;

export function createOfflineStt(options: OfflineSttOptions = {}): OfflineStt {
  const {
    maxThreads = Math.max(1, Math.min(4, availableParallelism() - 1)),
    slotsPerThread = 6,
    openTimeoutMs = 15_000,
    onNotice = () => {},
    clock = systemClock,
    idle = {},
    ownDecoders: ownDecoder = false,
  } = options;
  const pool = new ThreadPool(maxThreads, slotsPerThread, idle);
  let lastStreamId = 0;

  const open = (request: SttOptions) =>
    openStream({
      request,
      thread: () => pool.pick(),
      streamId: ++lastStreamId,
      ownDecoder,
      openTimeoutMs,
      onNotice,
      clock,
    });
  return {
    provider: 'offline',
    inputRatesHz: [RECOGNISER_RATE_HZ],
    finalLatencyP99Ms: FINAL_LATENCY_P99_MS,
    flushes: true,
    // Words that no sentence of its grammar explains so far are not told.
    sparseInterims: true,
    open,
    async start(languages) {
      if (pool.isRunning) return;
      const stream = await open({
        sampleRateHz: RECOGNISER_RATE_HZ,
        languages,
        hints: [],
        phrases: [],
        onEvent: () => undefined,
        signal: new AbortController().signal,
      });
      stream.close();
    },
    close: () => pool.close(),
  };
}

interface Opening {
  readonly request: SttOptions;
  readonly thread: () => RecogniserThread;
  readonly streamId: number;
  readonly ownDecoder: boolean;
  readonly openTimeoutMs: number;
  readonly onNotice: (notice: GrammarNotice) => void;
  readonly clock: Clock;
}

async function openStream(opening: Opening): Promise<OfflineStream> {
  const { request, streamId, ownDecoder, openTimeoutMs, onNotice, clock } = opening;
  request.signal.throwIfAborted();
  const language = checkedLanguage(request);
  const thread = opening.thread();
  const opened = Promise.withResolvers<OfflineStream>();
  const stream = new OfflineSttStream({ streamId, thread, clock, onEvent: request.onEvent });
  const onAbort = () => {
    stream.close();
    opened.reject(request.signal.reason);
  };
  const timer = clock.setTimeout(() => {
    opened.reject(failure('timeout', 'open_timeout', `not ready within ${openTimeoutMs} ms`));
  }, openTimeoutMs);

  let ready = false;
  thread.attach(streamId, {
    message(message: FromWorker) {
      if (ready) stream.message(message);
      else if (message.type === 'opened') {
        ready = true;
        if (message.unknownWords.length > 0 || message.droppedPhrases > 0) onNotice(message);
        opened.resolve(stream);
      } else if (message.type === 'failed') {
        opened.reject(failure('internal', 'open_failed', message.message));
      }
    },
    lost(reason) {
      if (ready) stream.lost(reason);
      else opened.reject(failure('internal', 'thread_lost', `the thread ended: ${reason}`));
    },
  });
  request.signal.addEventListener('abort', onAbort, { once: true });
  const { phrases, topics = [], hints } = request;
  thread.send({ type: 'open', streamId, language, phrases, topics, hints, ownDecoder });
  try {
    return await opened.promise;
  } catch (error) {
    stream.close();
    throw error;
  } finally {
    clock.clearTimeout(timer);
  }
}

function checkedLanguage({ languages, sampleRateHz }: SttOptions): string {
  if (sampleRateHz !== RECOGNISER_RATE_HZ) {
    throw failure(
      'invalid',
      'sample_rate',
      `the offline recogniser takes ${RECOGNISER_RATE_HZ} Hz, not ${sampleRateHz} Hz`,
    );
  }
  const language = findLanguage(languages);
  if (language) return language.tag;
  throw failure(
    'invalid',
    'language',
    `the offline recogniser speaks ${languageTags.join(' and ')}, not ${languages.join(', ')}`,
  );
}

function failure(
  failureClass: 'invalid' | 'internal' | 'timeout',
  code: string,
  message: string,
): ProviderError {
  return new ProviderError({ class: failureClass, provider: 'offline', code, message });
}
