import { throwIfAborted } from '../../lib/abort.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Stt, SttOptions, SttStream } from '../../ports/stt.ts';
import { ModelHost, type ModelSink, modelFailure, PROVIDER } from './model-host.ts';
import { SpeechGate } from './speech-gate.ts';

export interface SherpaSttOptions {
  readonly clock: Clock;
  readonly dir: string;
  readonly threads: number;
}

export interface SherpaStt extends Stt {
  /** Loads the model ahead of the first call; rejects with ProviderError. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** How much later than the actual start and end of speech VAD reports them. */
const START_LATENCY_MS = 100;
const STOP_LATENCY_MS = 200;
/** Whole-utterance models take time that grows faster than the utterance. */
const MAX_UTTERANCE_MS = 15_000;
const FINAL_TIMEOUT_MS = 8000;

/** A recogniser on this machine: a sherpa-onnx model folder in a separate process, shared by all calls. */
export function createSherpaStt(options: SherpaSttOptions): SherpaStt {
  const { clock, dir, threads } = options;
  const host = new ModelHost({ clock, load: { type: 'load-recogniser', dir, threads } });
  return {
    provider: PROVIDER,
    inputRatesHz: [16_000, 8000],
    // For a model that keeps up; the first final of a longer utterance may be later.
    finalLatencyP99Ms: 800,
    async open(request) {
      throwIfAborted(request.signal);
      await host.start(request.signal);
      return new ModelStream(host, clock, request);
    },
    async start() {
      await host.start(new AbortController().signal);
    },
    close: () => host.close(),
  };
}

interface Utterance {
  readonly number: number;
  readonly startMs: number;
  readonly endMs: number;
}

class ModelStream implements SttStream {
  readonly droppedMs = 0;
  readonly #host: ModelHost;
  readonly #clock: Clock;
  readonly #request: SttOptions;
  readonly #id: number;
  readonly #gate: SpeechGate;
  readonly #onAbort = (): void => this.close();
  /** Ended utterances that still wait for their text. */
  readonly #awaited: Utterance[] = [];
  #timer: Timer;
  #samples = 0;
  #number = 1;
  #startMs = 0;
  #closed = false;

  constructor(host: ModelHost, clock: Clock, request: SttOptions) {
    this.#host = host;
    this.#clock = clock;
    this.#request = request;
    const { sampleRateHz, hints, languages, signal } = request;
    const id = host.join((reply) => this.#hear(reply));
    this.#id = id;
    this.#gate = new SpeechGate(sampleRateHz, (pcm) => host.send({ type: 'audio', id, pcm }));
    const language = languages[0]?.split('-')[0]?.toLowerCase() ?? '';
    host.send({ type: 'hear', id, sampleRateHz, hints, language });
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  write(pcm: Int16Array): void {
    if (this.#closed) return;
    this.#samples += pcm.length;
    this.#gate.write(pcm);
    if (this.#gate.isOpen && this.#writtenMs - this.#startMs > MAX_UTTERANCE_MS) {
      this.#end(this.#writtenMs);
      this.#startMs = this.#writtenMs;
    }
  }

  speechStarted(): void {
    if (this.#closed || this.#gate.isOpen) return;
    this.#startMs = Math.max(0, this.#writtenMs - START_LATENCY_MS);
    this.#gate.open();
  }

  speechEnded(): void {
    if (this.#closed || !this.#gate.isOpen) return;
    this.#gate.close();
    this.#end(Math.max(this.#startMs, this.#writtenMs - STOP_LATENCY_MS));
  }

  /** A model that is told of an end begins anew, so only a pause may end an utterance. */
  flush(): void {}

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#clock.clearTimeout(this.#timer);
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    this.#host.leave(this.#id);
  }

  get #writtenMs(): number {
    return Math.round((this.#samples * 1000) / this.#request.sampleRateHz);
  }

  #end(endMs: number): void {
    const number = this.#number++;
    this.#awaited.push({ number, startMs: this.#startMs, endMs });
    this.#host.send({ type: 'utterance-end', id: this.#id, utterance: number });
    if (this.#awaited.length === 1) this.#expectFinal();
  }

  #expectFinal(): void {
    this.#clock.clearTimeout(this.#timer);
    if (this.#awaited.length === 0) return;
    this.#timer = this.#clock.setTimeout(
      () =>
        this.#fail(modelFailure('timeout', 'too_late', `gave no text for ${FINAL_TIMEOUT_MS} ms`)),
      FINAL_TIMEOUT_MS,
    );
  }

  #hear: ModelSink = (reply) => {
    if (this.#closed) return;
    if (reply instanceof Error) {
      this.#fail(reply);
    } else if (reply.type === 'interim') {
      const { number, startMs } = this.#awaited[0] ?? {
        number: this.#number,
        startMs: this.#startMs,
      };
      this.#text('interim', reply.text, { number, startMs, endMs: this.#writtenMs });
    } else if (reply.type === 'final') {
      const utterance = this.#awaited.shift();
      this.#expectFinal();
      if (utterance && reply.text !== '') this.#text('final', reply.text, utterance);
    }
  };

  #text(type: 'interim' | 'final', text: string, { number, startMs, endMs }: Utterance): void {
    const segmentId = `u${number}`;
    this.#request.onEvent({ type, segmentId, text, startMs, endMs, confidence: 1 });
  }

  #fail(error: ReturnType<typeof modelFailure>): void {
    this.close();
    this.#request.onEvent({ type: 'error', error });
  }
}
