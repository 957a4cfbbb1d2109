import type * as ort from 'onnxruntime-web';

/** A loaded ONNX model; it runs on the thread that opened it, so open it on one of its own. */
export type OnnxSession = ort.InferenceSession;

/** What runs ONNX models: the part of onnxruntime's packages that is used here. */
export interface OnnxRuntime {
  readonly name: string;
  readonly InferenceSession: typeof ort.InferenceSession;
  readonly Tensor: typeof ort.Tensor;
  readonly options: ort.InferenceSession.SessionOptions;
}

/**
 * Loads onnxruntime for WebAssembly, which runs everywhere. One model may use so many threads. Rejects with a sentence for
 * the operator if the package is not installed: it is 140 MB, and most services run no model of this kind.
 */
export async function wasmRuntime(
  threads: number,
  load: () => Promise<typeof ort> = () => import('onnxruntime-web'),
): Promise<OnnxRuntime> {
  const { env, InferenceSession, Tensor } = await load().catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Error('ONNX models need a package: npm install --no-save onnxruntime-web', { cause });
  });
  env.wasm.numThreads = threads;
  env.logLevel = 'error';
  const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' } as const;
  return { name: 'onnxruntime-web', InferenceSession, Tensor, options };
}
