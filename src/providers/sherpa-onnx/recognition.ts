import type { ModelRequest } from './messages.ts';
import type { RecogniserModel } from './recogniser-model.ts';

export interface RecognitionOptions {
  readonly model: RecogniserModel;
  readonly absolute: (file: string) => string;
  readonly threads: number;
}

type OpenRequest = Extract<ModelRequest, { type: 'hear' }>;

/** A recognition strategy: handles all callers of one model. */
export interface Recognition {
  open(request: OpenRequest): void;
  audio(id: number, samples: Float32Array): void;
  /** Marks the end of an utterance; {@link step} finishes it. */
  end(id: number, utterance: number): void;
  close(id: number): void;
  /** Does the most urgent piece of work; false when there is none. */
  step(): boolean;
}

/** The model section of sherpa-onnx's configuration, common to both strategies. */
export function modelConfig({
  model,
  absolute,
  threads,
}: RecognitionOptions): Record<string, unknown> {
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
