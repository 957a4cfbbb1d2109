import { availableParallelism } from 'node:os';
import type { Clock } from '../ports/clock.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Log } from '../ports/log.ts';
import { createLimitedTts } from './decorators/limited-tts.ts';
import { TurnQueue } from './decorators/turn-queue.ts';
import { createOnnxEmbedder } from './onnx-embeddings/adapter.ts';
import { PROVIDER as LOCAL } from './sherpa-onnx/model-host.ts';
import { createSherpaStt, type SherpaStt } from './sherpa-onnx/stt-adapter.ts';
import { createSherpaTts, type SherpaTts } from './sherpa-onnx/tts-adapter.ts';
import { createNormalisingTts } from './text-normalisation/normalising-tts.ts';
import type { VendorTts } from './tts-vendors.ts';
import { unusable } from './usable-vendor.ts';

export { LOCAL };

/** Model folders, as absolute paths. */
export interface ModelDirs {
  readonly stt?: string;
  readonly tts?: string;
  readonly embed?: string;
}

/** The recogniser and the voice on this machine, if the operator has configured their models. */
export interface LocalModels {
  /** Throws ProviderError when no folder is configured. */
  stt(): SherpaStt;
  tts(): VendorTts;
  readonly embedder: Embedder | undefined;
  /** Loads the models. A load failure is logged, and reported again when the model is used. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** The voice speaks one utterance at a time; a limited number may wait. */
const VOICE_LIMITS = { concurrency: 16, maxWaiting: 64 };

function required<T>(model: T | undefined, setting: string): T {
  if (model) return model;
  throw unusable(LOCAL, 'no_model', `${LOCAL} has no model: set ${setting} to its folder`);
}

/** Threads per model: leaves one core to the event loop and the callers' media. */
export function localThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1));
}

export function createLocalModels(dirs: ModelDirs, clock: Clock, log: Log): LocalModels {
  const threads = localThreads();
  const stt = dirs.stt ? createSherpaStt({ clock, dir: dirs.stt, threads }) : undefined;
  const tts = dirs.tts ? createSherpaTts({ clock, dir: dirs.tts, threads }) : undefined;
  const embedder = dirs.embed ? createOnnxEmbedder({ folder: dirs.embed, log }) : undefined;
  const voice =
    tts && createNormalisingTts(createLimitedTts(tts, new TurnQueue(LOCAL, VOICE_LIMITS)));
  const start = async (model: SherpaStt | SherpaTts | undefined): Promise<void> => {
    try {
      await model?.start();
    } catch (error) {
      log.error({ err: error }, 'a local model could not be loaded');
    }
  };
  return {
    stt: () => required(stt, 'STT_MODEL_DIR'),
    tts: () => required(voice, 'TTS_MODEL_DIR'),
    embedder,
    async warmUp() {
      await Promise.all([start(stt), start(tts), embedder?.start()]);
    },
    async close() {
      embedder?.close();
      await Promise.all([stt?.close(), tts?.close()]);
    },
  };
}
