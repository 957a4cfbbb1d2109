import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createLogMel, LOG_MEL } from '../../audio/log-mel.ts';
import { type OnnxRuntime, wasmRuntime } from '../../lib/onnx-session.ts';

/** A loaded model; `runtime` runs it. */
export interface OpenTurnModel {
  readonly runtime: string;
  /** The probability that a turn is over that ends in this audio: mono PCM16 at 16 kHz, at most the last 8 s count. */
  judge(pcm: Int16Array): Promise<number>;
}

/**
 * Loads the model of a folder and tries it once. Throws an Error, written for the operator, if the folder has no model
 * of this kind: 80 × 800 features of a voice in, one probability out.
 */
export async function openTurnModel(dir: string, threads: number): Promise<OpenTurnModel> {
  const runtime = native(threads) ?? (await wasmRuntime(threads));
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

/** onnxruntime-node is four times as fast. It is not shipped for its size. */
function native(threads: number): OnnxRuntime | undefined {
  const name = 'onnxruntime-node';
  try {
    const { InferenceSession, Tensor } = createRequire(import.meta.url)(name) as OnnxRuntime;
    const options = { intraOpNumThreads: threads, interOpNumThreads: 1 };
    return { name, InferenceSession, Tensor, options };
  } catch {
    // Neither a missing package nor one without a binary for this machine keeps the other one from running.
    return undefined;
  }
}
