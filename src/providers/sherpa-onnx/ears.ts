import { setImmediate } from 'node:timers';
import type { ModelReply, ModelRequest } from './messages.ts';
import type { RecogniserModel } from './recogniser-model.ts';
import type { Sherpa } from './sherpa-module.ts';
import { StreamingEars } from './streaming-ears.ts';
import { WholeEars } from './whole-ears.ts';

export interface EarsOptions {
  readonly model: RecogniserModel;
  readonly absolute: (file: string) => string;
  readonly threads: number;
}

type Hear = Extract<ModelRequest, { type: 'hear' }>;

/** One way of hearing: all callers of one model. */
export interface Hearing {
  open(request: Hear): void;
  audio(id: number, samples: Float32Array): void;
  /** Takes note that an utterance is over; {@link step} finishes it. */
  end(id: number, utterance: number): void;
  close(id: number): void;
  /** Does the most urgent piece of work; false when there is none. */
  step(): boolean;
}

/** Hears for all callers, a piece of work at a time, so that what comes in meanwhile is weighed anew. */
export class Ears {
  readonly #hearing: Hearing;
  #working = false;

  constructor(sherpa: Sherpa, options: EarsOptions, reply: (message: ModelReply) => void) {
    this.#hearing = options.model.streaming
      ? new StreamingEars(sherpa, options, reply)
      : new WholeEars(sherpa, options, reply);
  }

  serve(request: Extract<ModelRequest, { type: 'hear' | 'audio' | 'utterance-end' }>): void {
    if (request.type === 'hear') this.#hearing.open(request);
    else if (request.type === 'audio') this.#hearing.audio(request.id, toFloat(request.pcm));
    else this.#hearing.end(request.id, request.utterance);
    if (this.#working) return;
    this.#working = true;
    setImmediate(() => this.#work());
  }

  forget(id: number): void {
    this.#hearing.close(id);
  }

  #work(): void {
    if (this.#hearing.step()) setImmediate(() => this.#work());
    else this.#working = false;
  }
}

function toFloat(pcm: Int16Array): Float32Array {
  const samples = new Float32Array(pcm.length);
  for (let i = 0; i < pcm.length; i++) samples[i] = (pcm[i] as number) / 32_768;
  return samples;
}

/** The model's part of sherpa-onnx's configuration, which both kinds share. */
export function modelConfig({ model, absolute, threads }: EarsOptions): Record<string, unknown> {
  const paths = Object.entries(model.paths).map(([key, file]) => [key, absolute(file)]);
  return {
    [model.family]: Object.fromEntries(paths),
    tokens: absolute(model.tokens),
    numThreads: threads,
    provider: 'cpu',
    debug: 0,
    ...(model.modelType ? { modelType: model.modelType } : {}),
    ...(model.bpeVocab ? { modelingUnit: 'bpe', bpeVocab: absolute(model.bpeVocab) } : {}),
  };
}
