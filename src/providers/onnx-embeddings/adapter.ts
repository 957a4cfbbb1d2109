import { basename } from 'node:path';
import { ComputeError, ComputePool } from '../../lib/compute-pool.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Log } from '../../ports/log.ts';
import type { EmbedTask } from './thread.ts';

interface OnnxEmbedderOptions {
  /** Absolute path of the model's folder. */
  readonly folder: string;
  readonly log: Log;
}

/** An embedder on this machine. */
export interface OnnxEmbedder extends Embedder {
  /** Loads the model; a failure is logged, and reported again when the model is used. */
  start(): Promise<void>;
  close(): void;
}

const PROVIDER = 'onnx';
/** Few, so that a caller's question waits for no more than these while a base is trained. */
const SLICE_TEXTS = 4;
/** For one slice; the first one also loads the model. */
const DEADLINE_MS = 60_000;
const HEAP_MIB = 2048;

/** Embeds texts with a sentence model in a folder, on a thread of its own. */
export function createOnnxEmbedder({ folder, log }: OnnxEmbedderOptions): OnnxEmbedder {
  const pool = new ComputePool<EmbedTask, readonly Float32Array[]>({
    entry: new URL('./thread.ts', import.meta.url),
    threads: 1,
    heapMib: HEAP_MIB,
    // Loading takes longer than a caller waits, so the thread stays.
    idle: { inCall: () => true },
  });
  const run = async (
    texts: readonly string[],
    kind: EmbedTask['kind'],
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> => {
    try {
      return await pool.run(
        { folder, texts, kind },
        // Questions and trainings take turns.
        { deadlineMs: DEADLINE_MS, team: kind, ...(signal ? { signal } : {}) },
      );
    } catch (error) {
      throw error instanceof ComputeError ? failure(error) : error;
    }
  };
  return {
    provider: PROVIDER,
    model: basename(folder),
    async embed(texts, signal, kind = 'passage') {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += SLICE_TEXTS)
        vectors.push(...(await run(texts.slice(at, at + SLICE_TEXTS), kind, signal)));
      return vectors;
    },
    async start() {
      try {
        await run([], 'question');
      } catch (error) {
        log.error({ err: error }, 'the sentence model could not be loaded');
      }
    },
    close: () => pool.close(),
  };
}

function failure(error: ComputeError): ProviderError {
  const isLate = error.code === 'overdue' || error.code === 'busy';
  return new ProviderError({
    class: isLate ? 'timeout' : 'invalid',
    provider: PROVIDER,
    code: `model_${error.code}`,
    message: isLate
      ? 'The sentence model on this machine was too slow'
      : 'The sentence model on this machine does not work: see the log',
    cause: error,
  });
}
