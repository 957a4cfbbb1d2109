import { throwIfAborted } from '../../lib/abort.ts';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { withoutEndSlashes } from '../../lib/without-end-slashes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Stt, SttOptions, SttStream } from '../../ports/stt.ts';
import { askVendor } from '../openai-llm/ask-vendor.ts';
import { requestFailure } from '../openai-llm/failure.ts';
import { DEFAULT_MODELS } from '../vendor-defaults.ts';
import {
  parseTranscription,
  serializeTranscription,
  TRANSCRIPTION_CONTENT_TYPE,
} from './protocol.ts';
import { type SpeechCut, SpeechCutter } from './speech-cutter.ts';

export interface OpenAiTranscriptionsOptions {
  readonly apiKey: string;
  /** @defaultValue `https://api.openai.com/v1` */
  readonly baseUrl?: string;
  /** @defaultValue the one in `vendor-defaults.ts` */
  readonly model?: string;
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
  /** From the request to the text. @defaultValue 8000 */
  readonly deadlineMs?: number;
}

const PROVIDER = 'openai-transcriptions';
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_CUT_MS = 15_000;
/** Utterances that may wait during a transcription; beyond this the oldest is dropped. */
const MAX_WAITING = 1;
const ATTEMPTS = 2;

/** OpenAI's `/audio/transcriptions` or a compatible server: whole utterances, cut by our VAD. */
export function createOpenAiTranscriptions(options: OpenAiTranscriptionsOptions): Stt {
  return {
    provider: PROVIDER,
    // The rate such models are trained on; servers without a resampler accept nothing else.
    inputRatesHz: [16_000],
    finalLatencyP99Ms: 2010,
    async open(request) {
      throwIfAborted(request.signal);
      return new TranscriptionStream(options, request);
    },
  };
}

class TranscriptionStream implements SttStream {
  readonly #options: OpenAiTranscriptionsOptions;
  readonly #request: SttOptions;
  readonly #cutter: SpeechCutter;
  readonly #abort = new AbortController();
  readonly #onAbort = (): void => this.close();
  readonly #waiting: SpeechCut[] = [];
  #busy = false;
  #segments = 0;
  #droppedMs = 0;

  constructor(options: OpenAiTranscriptionsOptions, request: SttOptions) {
    this.#options = options;
    this.#request = request;
    this.#cutter = new SpeechCutter({
      sampleRateHz: request.sampleRateHz,
      prerollMs: 500,
      maxCutMs: MAX_CUT_MS,
      minVoiceMs: 120,
    });
    request.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  get droppedMs(): number {
    return this.#droppedMs;
  }

  write(pcm: Int16Array): void {
    if (this.#abort.signal.aborted) return;
    for (const cut of this.#cutter.write(pcm)) this.#take(cut);
  }

  speechStarted(): void {
    this.#cutter.started();
  }

  speechEnded(): void {
    const cut = this.#cutter.ended();
    if (cut && !this.#abort.signal.aborted) this.#take(cut);
  }

  /** Each piece is a request of its own, so only a pause makes one. */
  flush(): void {}

  close(): void {
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    this.#waiting.length = 0;
    this.#abort.abort();
  }

  #take(cut: SpeechCut): void {
    this.#waiting.push(cut);
    if (!this.#busy) void this.#work();
    if (this.#waiting.length <= MAX_WAITING) return;
    const lost = this.#waiting.shift() as SpeechCut;
    this.#droppedMs += (lost.pcm.length * 1000) / this.#request.sampleRateHz;
  }

  /** One request at a time: some servers accept no more, and it keeps the order. */
  async #work(): Promise<void> {
    this.#busy = true;
    const { signal } = this.#abort;
    for (let cut = this.#waiting.shift(); cut; cut = this.#waiting.shift()) {
      try {
        const text = await this.#transcribe(cut);
        if (signal.aborted) return;
        if (text === '') continue;
        const { startMs, endMs } = cut;
        const segmentId = `s${++this.#segments}`;
        this.#request.onEvent({ type: 'final', segmentId, text, startMs, endMs, confidence: 1 });
      } catch (error) {
        if (signal.aborted) return;
        this.close();
        this.#request.onEvent({ type: 'error', error: requestFailure(PROVIDER, error) });
        return;
      }
    }
    this.#busy = false;
  }

  /** The caller will not repeat the utterance, so a transient failure is retried. */
  async #transcribe(cut: SpeechCut): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#ask(cut);
      } catch (error) {
        const { retryable, class: why } = requestFailure(PROVIDER, error);
        if (this.#abort.signal.aborted || attempt === ATTEMPTS || !retryable || why === 'rate')
          throw error;
      }
    }
  }

  async #ask(cut: SpeechCut): Promise<string> {
    const { apiKey, fetch, clock, baseUrl, deadlineMs = 8000, model } = this.#options;
    const { languages, hints, sampleRateHz } = this.#request;
    const { signal } = this.#abort;
    throwIfAborted(signal);
    const base = withoutEndSlashes(baseUrl ?? 'https://api.openai.com/v1');
    return askVendor({
      provider: PROVIDER,
      url: `${base}/audio/transcriptions`,
      apiKey,
      contentType: TRANSCRIPTION_CONTENT_TYPE,
      body: serializeTranscription({
        model: model ?? DEFAULT_MODELS.stt[PROVIDER].name,
        languages,
        hints,
        sampleRateHz,
        pcm: cut.pcm,
      }),
      fetch,
      clock,
      deadlineMs,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
      parse: parseTranscription,
      wanted: 'a transcript',
    });
  }
}
