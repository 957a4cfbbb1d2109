import * as ort from 'onnxruntime-web';

/** A loaded ONNX model; it runs on the thread that opened it, so open it on one of its own. */
export type OnnxSession = ort.InferenceSession;

/** Loads a model for WebAssembly. Rejects if the file is missing or no model. */
export async function openOnnxSession(path: string): Promise<OnnxSession> {
  // The threads of a pool are the parallelism; more of them would take cores from the sound.
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  return ort.InferenceSession.create(path, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
}
