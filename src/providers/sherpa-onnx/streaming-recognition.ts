import type { ModelReply, ModelRequest } from './messages.ts';
import { modelConfig, type Recognition, type RecognitionOptions } from './recognition.ts';
import type { Sherpa, SherpaStream, StreamingRecogniser } from './sherpa-module.ts';

interface Caller {
  readonly stream: SherpaStream;
  readonly sampleRateHz: number;
  shown: string;
  /** The utterance that has been marked as ended. */
  ending: number | undefined;
}

/** A streaming model holds back its last words until it has heard more; this much silence releases them. */
const TAIL_MS = 600;

/** Recognition with a model that produces text during speech; callers with enough audio are decoded in one batch. */
export class StreamingRecognition implements Recognition {
  readonly #recogniser: StreamingRecogniser;
  readonly #reply: (message: ModelReply) => void;
  readonly #callers = new Map<number, Caller>();

  constructor(sherpa: Sherpa, options: RecognitionOptions, reply: (message: ModelReply) => void) {
    this.#reply = reply;
    this.#recogniser = new sherpa.OnlineRecognizer({
      featConfig: { sampleRate: 16_000, featureDim: 80 },
      modelConfig: modelConfig(options),
      decodingMethod: 'greedy_search',
      // Our own VAD detects the end of an utterance.
      enableEndpoint: false,
    });
  }

  open({ id, sampleRateHz, language }: Extract<ModelRequest, { type: 'hear' }>): void {
    const stream = this.#recogniser.createStream();
    if (language) stream.setOption('language', language);
    this.#callers.set(id, { stream, sampleRateHz, shown: '', ending: undefined });
  }

  audio(id: number, samples: Float32Array): void {
    const caller = this.#callers.get(id);
    caller?.stream.acceptWaveform({ samples, sampleRate: caller.sampleRateHz });
  }

  end(id: number, utterance: number): void {
    const caller = this.#callers.get(id);
    if (!caller) return;
    this.audio(id, new Float32Array((caller.sampleRateHz * TAIL_MS) / 1000));
    caller.ending = utterance;
  }

  close(id: number): void {
    this.#callers.delete(id);
  }

  step(): boolean {
    const ready = [...this.#callers.values()].filter(({ stream }) =>
      this.#recogniser.isReady(stream),
    );
    if (ready.length > 0) this.#recogniser.decodeStreams(ready.map(({ stream }) => stream));
    for (const [id, caller] of this.#callers) this.#tell(id, caller);
    return ready.length > 0;
  }

  #tell(id: number, caller: Caller): void {
    const text = this.#recogniser.getResult(caller.stream).text.trim();
    if (caller.ending !== undefined && !this.#recogniser.isReady(caller.stream)) {
      this.#reply({ type: 'final', id, utterance: caller.ending, text });
      this.#recogniser.reset(caller.stream);
      caller.ending = undefined;
      caller.shown = '';
    } else if (text !== caller.shown) {
      caller.shown = text;
      if (text !== '') this.#reply({ type: 'interim', id, text });
    }
  }
}
