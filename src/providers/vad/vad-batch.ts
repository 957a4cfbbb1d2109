import { LANES } from './kernels.ts';
import { MEMORY_FLOATS, type SpeechNetwork, type SpeechWindow } from './speech-network.ts';
import { CONTEXT_SAMPLES, WINDOW_SAMPLES, type WindowBatch } from './vad-message.ts';

const LENGTH = CONTEXT_SAMPLES + WINDOW_SAMPLES;

/** Runs batches of windows from many streams and keeps each stream's recurrent state. */
export class VadBatch {
  readonly #network: SpeechNetwork;
  readonly #memories = new Map<number, Float32Array>();

  constructor(network: SpeechNetwork) {
    this.#network = network;
  }

  /** The probability of speech for each window of the batch. */
  judge({ streams, samples, ended }: WindowBatch): Float32Array {
    const probabilities = new Float32Array(streams.length);
    for (const round of rounds(streams)) {
      for (let at = 0; at < round.length; at += LANES) {
        const lanes = round.slice(at, at + LANES);
        const results = this.#network.judge(
          lanes.map((index) => this.#window(streams[index] as number, samples, index)),
        );
        for (const [lane, index] of lanes.entries()) probabilities[index] = results[lane] as number;
      }
    }
    for (const stream of ended) this.#memories.delete(stream);
    return probabilities;
  }

  #window(stream: number, samples: Int16Array, index: number): SpeechWindow {
    const memory = this.#memories.get(stream) ?? new Float32Array(MEMORY_FLOATS);
    this.#memories.set(stream, memory);
    return { samples: samples.subarray(index * LENGTH, (index + 1) * LENGTH), memory };
  }
}

/** Groups window indices into rounds with at most one window per stream, which keeps each stream's order. */
function rounds(streams: Int32Array): number[][] {
  const seen = new Map<number, number>();
  const found: number[][] = [];
  for (const [index, stream] of streams.entries()) {
    const round = seen.get(stream) ?? 0;
    seen.set(stream, round + 1);
    const list = found[round];
    if (list) list.push(index);
    else found.push([index]);
  }
  return found;
}
