import { availableParallelism } from 'node:os';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { createLimitedTts } from './decorators/limited-tts.ts';
import { TurnQueue } from './decorators/turn-queue.ts';
import { PROVIDER as LOCAL } from './sherpa-onnx/model-host.ts';
import { createSherpaStt, type SherpaStt } from './sherpa-onnx/stt-adapter.ts';
import { createSherpaTts, type SherpaTts } from './sherpa-onnx/tts-adapter.ts';
import { createNormalisingTts } from './text-normalisation/normalising-tts.ts';
import type { VendorTts } from './tts-vendors.ts';
import { unusable } from './usable-vendor.ts';

export { LOCAL };

/** Folders with models, absolute. */
export interface ModelDirs {
  readonly stt?: string;
  readonly tts?: string;
}

/** The recogniser and the voice of this machine, where the operator has given them a model. */
export interface LocalModels {
  /** Throws ProviderError where there is no folder. */
  stt(): SherpaStt;
  tts(): VendorTts;
  /** Loads them; what can't be loaded is logged, and told to whoever uses it. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** One voice speaks one utterance at a time; a few may wait. */
const VOICE_LIMITS = { concurrency: 16, maxWaiting: 64 };

function required<T>(model: T | undefined, setting: string): T {
  if (model) return model;
  throw unusable(LOCAL, 'no_model', `${LOCAL} has no model: set ${setting} to its folder`);
}

/** Threads of each model: the service's own loop, and the callers' media, want a core. */
export function localThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1));
}

export function createLocalModels(dirs: ModelDirs, clock: Clock, log: Log): LocalModels {
  const threads = localThreads();
  const stt = dirs.stt ? createSherpaStt({ clock, dir: dirs.stt, threads }) : undefined;
  const tts = dirs.tts ? createSherpaTts({ clock, dir: dirs.tts, threads }) : undefined;
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
    async warmUp() {
      await Promise.all([start(stt), start(tts)]);
    },
    async close() {
      await Promise.all([stt?.close(), tts?.close()]);
    },
  };
}
