import type { ModelReply, ModelRequest } from './messages.ts';
import { modelConfig, type Recognition, type RecognitionOptions } from './recognition.ts';
import type { Sherpa, WholeRecogniser } from './sherpa-module.ts';

interface Caller {
  readonly sampleRateHz: number;
  readonly hotwords: string | undefined;
  /** Audio of the utterance so far. */
  parts: Float32Array[];
  samples: number;
  /** Length of the audio behind the last interim text. */
  shownSamples: number;
  readonly ended: { readonly utterance: number; readonly parts: readonly Float32Array[] }[];
}

/** An interim text decodes the whole utterance so far, so it waits for this much new audio. */
const INTERIM_MS = 600;

/**
 * Recognition with a model that needs whole utterances: finished utterances first, then interims of unfinished ones.
 */
export class WholeUtteranceRecognition implements Recognition {
  readonly #recogniser: WholeRecogniser;
  readonly #boosts: boolean;
  readonly #reply: (message: ModelReply) => void;
  readonly #callers = new Map<number, Caller>();

  constructor(sherpa: Sherpa, options: RecognitionOptions, reply: (message: ModelReply) => void) {
    this.#reply = reply;
    this.#boosts = options.model.bpeVocab !== undefined;
    this.#recogniser = new sherpa.OfflineRecognizer({
      featConfig: { sampleRate: 16_000, featureDim: 80 },
      modelConfig: modelConfig(options),
      decodingMethod: this.#boosts ? 'modified_beam_search' : 'greedy_search',
    });
  }

  open({ id, sampleRateHz, hints }: Extract<ModelRequest, { type: 'hear' }>): void {
    const hotwords = this.#boosts && hints.length > 0 ? hints.join('/') : undefined;
    const nothing = { parts: [], samples: 0, shownSamples: 0, ended: [] };
    this.#callers.set(id, { sampleRateHz, hotwords, ...nothing });
  }

  audio(id: number, samples: Float32Array): void {
    const caller = this.#callers.get(id);
    if (!caller) return;
    caller.parts.push(samples);
    caller.samples += samples.length;
  }

  end(id: number, utterance: number): void {
    const caller = this.#callers.get(id);
    if (!caller) return;
    caller.ended.push({ utterance, parts: caller.parts });
    caller.parts = [];
    caller.samples = 0;
    caller.shownSamples = 0;
  }

  close(id: number): void {
    this.#callers.delete(id);
  }

  step(): boolean {
    for (const [id, caller] of this.#callers) {
      const ended = caller.ended.shift();
      if (!ended) continue;
      const text = this.#decode(caller, ended.parts);
      this.#reply({ type: 'final', id, utterance: ended.utterance, text });
      return true;
    }
    for (const [id, caller] of this.#callers) {
      const unseen = caller.samples - caller.shownSamples;
      if (unseen < (caller.sampleRateHz * INTERIM_MS) / 1000) continue;
      caller.shownSamples = caller.samples;
      const text = this.#decode(caller, caller.parts);
      if (text !== '') this.#reply({ type: 'interim', id, text });
      return true;
    }
    return false;
  }

  #decode(caller: Caller, parts: readonly Float32Array[]): string {
    const stream = this.#recogniser.createStream(caller.hotwords);
    for (const samples of parts)
      stream.acceptWaveform({ samples, sampleRate: caller.sampleRateHz });
    this.#recogniser.decode(stream);
    return this.#recogniser.getResult(stream).text.trim();
  }
}
