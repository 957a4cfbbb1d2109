import { availableParallelism } from 'node:os';
import type { Clock } from '../ports/clock.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Log } from '../ports/log.ts';
import type { TurnPredictor } from '../ports/predictor.ts';
import { createLimitedTts } from './decorators/limited-tts.ts';
import { TurnQueue } from './decorators/turn-queue.ts';
import { createOnnxEmbedder } from './onnx-embeddings/adapter.ts';
import { PROVIDER as LOCAL } from './sherpa-onnx/model-host.ts';
import { createSherpaStt, type SherpaStt } from './sherpa-onnx/stt-adapter.ts';
import { createSherpaTts, type SherpaTts } from './sherpa-onnx/tts-adapter.ts';
import { createNormalisingTts } from './text-normalisation/normalising-tts.ts';
import type { VendorTts } from './tts-vendors.ts';
import { createTurnModel, type TurnOutcome } from './turn-model/turn-model.ts';
import { unusable } from './usable-vendor.ts';

export { LOCAL };

/** Model folders, as absolute paths. */
export interface ModelDirs {
  readonly stt?: string;
  readonly tts?: string;
  readonly turn?: string;
  readonly embed?: string;
}

/** The recogniser and the voice on this machine, if the operator has configured their models. */
export interface LocalModels {
  /** Throws ProviderError when no folder is configured. */
  stt(): SherpaStt;
  tts(): VendorTts;
  /** The judge of pauses; undefined while there is none that can be asked. */
  readonly predictor: TurnPredictor | undefined;
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

interface LocalModelsOptions {
  readonly dirs: ModelDirs;
  readonly clock: Clock;
  readonly log: Log;
  readonly onTurnJudged?: ((outcome: TurnOutcome) => void) | undefined;
}

export function createLocalModels({
  dirs,
  clock,
  log,
  onTurnJudged = () => undefined,
}: LocalModelsOptions): LocalModels {
  const threads = localThreads();
  const stt = dirs.stt ? createSherpaStt({ clock, dir: dirs.stt, threads }) : undefined;
  const tts = dirs.tts ? createSherpaTts({ clock, dir: dirs.tts, threads }) : undefined;
  const embedder = dirs.embed ? createOnnxEmbedder({ folder: dirs.embed, log }) : undefined;
  const turns = dirs.turn
    ? createTurnModel({ dir: dirs.turn, threads, clock, log, onOutcome: onTurnJudged })
    : undefined;
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
    get predictor() {
      return turns?.isReady ? turns : undefined;
    },
    embedder,
    async warmUp() {
      await Promise.all([start(stt), start(tts), turns?.start(), embedder?.start()]);
    },
    async close() {
      embedder?.close();
      await Promise.all([stt?.close(), tts?.close(), turns?.close()]);
    },
  };
}
