import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { createLogMel, LOG_MEL } from '../../audio/log-mel.ts';

/** A loaded model; `runtime` runs it. */
export interface OpenTurnModel {
  readonly runtime: string;
  /** The probability that a turn is over that ends in this audio: mono PCM16 at 16 kHz, at most the last 8 s count. */
  judge(pcm: Int16Array): Promise<number>;
}

interface Runtime {
  readonly name: string;
  readonly InferenceSession: typeof InferenceSession;
  readonly Tensor: typeof Tensor;
  readonly options: InferenceSession.SessionOptions;
}

/**
 * Loads the model of a folder and tries it once. Throws an Error, written for the operator, if the folder has no model
 * of this kind: 80 × 800 features of a voice in, one probability out.
 */
export async function openTurnModel(dir: string, threads: number): Promise<OpenTurnModel> {
  const runtime = (await native(threads)) ?? (await webAssembly(threads));
  const session = await runtime.InferenceSession.create(modelIn(dir), runtime.options);
  const [input, ...others] = session.inputNames;
  const [output] = session.outputNames;
  if (input === undefined || others.length > 0 || output === undefined) {
    throw new Error(`takes ${session.inputNames.length} inputs, and a turn model takes one`);
  }
  const logMel = createLogMel();
  const judge = async (pcm: Int16Array): Promise<number> => {
    const features = new runtime.Tensor('float32', logMel(pcm), [1, LOG_MEL.bands, LOG_MEL.frames]);
    const result = (await session.run({ [input]: features }))[output];
    const over = Number(result?.data[0]);
    if (result?.data.length !== 1 || !(over >= 0 && over <= 1)) {
      throw new Error('does not answer with one probability');
    }
    return over;
  };
  await judge(new Int16Array(0));
  return { runtime: runtime.name, judge };
}

/** The smallest of several precisions runs on processors. */
function modelIn(dir: string): string {
  const models = readdirSync(dir)
    .filter((file) => file.endsWith('.onnx'))
    .toSorted();
  const model = models.find((file) => /cpu|int8|quant/.test(file)) ?? models[0];
  if (model === undefined) throw new Error('has no .onnx file');
  return join(dir, model);
}

/** onnxruntime-node is four times as fast. It is not shipped for its size; a stand-in without a session may be there. */
async function native(threads: number): Promise<Runtime | undefined> {
  const name = 'onnxruntime-node';
  try {
    const found = createRequire(import.meta.url)(name) as Partial<Runtime>;
    const { InferenceSession: Session, Tensor: Values } = found;
    if (!Session || !Values) return undefined;
    const options = { intraOpNumThreads: threads, interOpNumThreads: 1 };
    return { name, InferenceSession: Session, Tensor: Values, options };
  } catch {
    // Neither a missing package nor one without a binary for this machine keeps the other one from running.
    return undefined;
  }
}

async function webAssembly(threads: number): Promise<Runtime> {
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  return {
    name: 'onnxruntime-web',
    InferenceSession: ort.InferenceSession,
    Tensor: ort.Tensor,
    options: { executionProviders: ['wasm'] },
  };
}
