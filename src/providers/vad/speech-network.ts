import { KernelMemory, type Region } from './kernel-memory.ts';
import { BLOCK_ROWS, COLUMN_STEP, LANES } from './kernels.ts';
import type { TensorsByName } from './onnx-tensors.ts';

/** One window for the network. */
export interface SpeechWindow {
  /** {@link SpeechNetwork.contextSamples} of context, then {@link SpeechNetwork.windowSamples} of the window. */
  readonly samples: Int16Array;
  /** The network's recurrent state of the stream; overwritten. */
  readonly memory: Float32Array;
}

/** Size of the recurrent state that a stream carries between windows. */
export const MEMORY_FLOATS = 256;

const FRAMES = 4;
const UNITS = 128;
const NARROW = 64;
const TAPS = 3;
const VECTOR_BYTES = 4 * LANES;
const NO_FLOOR = Number.NEGATIVE_INFINITY;

const roundUp = (value: number, step: number) => Math.ceil(value / step) * step;

/** A matrix in the kernels' layout. */
interface Layer {
  readonly weights: Region;
  readonly bias: Region;
  readonly blocks: number;
  readonly columns: number;
}

/**
 * Silero VAD v5 (MIT, snakers4/silero-vad): a short-time Fourier transform, four convolutions and a recurrent cell.
 * Processes {@link LANES} windows for the price of one.
 */
export class SpeechNetwork {
  readonly sampleRateHz: number;
  /** 32 ms. */
  readonly windowSamples: number;
  /** 4 ms. */
  readonly contextSamples: number;
  readonly #memory: KernelMemory;
  readonly #filterSamples: number;
  readonly #bins: number;
  readonly #binColumns: number;
  readonly #spectrumLayer: Layer;
  readonly #convolutions: readonly [Layer, Layer, Layer, Layer];
  readonly #recurrent: Layer;
  readonly #outWeights: Float32Array;
  readonly #outBias: number;
  readonly #audio: Region;
  readonly #spectrum: Region;
  readonly #magnitudes: Region;
  readonly #wide: Region;
  readonly #narrow: Region;
  readonly #narrowest: Region;
  /** Input and hidden state of the recurrent cell, concatenated. */
  readonly #inAndHidden: Region;
  readonly #gates: Region;
  readonly #cell: Region;

  /** Throws RangeError when the constants do not match the network. */
  constructor(tensors: TensorsByName) {
    const get = (name: string) => {
      const tensor = tensors.get(name);
      if (!tensor) throw new RangeError(`the model has no ${name}`);
      return tensor;
    };
    const basis = get('stft.forward_basis_buffer');
    this.#filterSamples = basis.dims[2] ?? 0;
    this.sampleRateHz = this.#filterSamples === 128 ? 8000 : 16_000;
    this.windowSamples = 2 * this.#filterSamples;
    this.contextSamples = this.#filterSamples / 4;
    this.#bins = this.#filterSamples / 2 + 1;
    this.#binColumns = roundUp(this.#bins, COLUMN_STEP);
    const binRows = roundUp(this.#bins, BLOCK_ROWS);

    this.#memory = new KernelMemory(600_000);
    this.#spectrumLayer = this.#layer(2 * binRows, this.#filterSamples, (row, column) => {
      const bin = row % binRows;
      const part = row < binRows ? 0 : this.#bins;
      if (bin >= this.#bins) return 0;
      return basis.values[(part + bin) * this.#filterSamples + column] as number;
    });
    const convolution = (index: number, rows: number, inputs: number, columns: number) => {
      const { values } = get(`encoder.${index}.reparam_conv.weight`);
      const bias = get(`encoder.${index}.reparam_conv.bias`).values;
      const weight = (row: number, column: number) => {
        const input = column % columns;
        const tap = Math.floor(column / columns);
        return input < inputs ? (values[(row * inputs + input) * TAPS + tap] as number) : 0;
      };
      return this.#layer(rows, TAPS * columns, weight, bias);
    };
    this.#convolutions = [
      convolution(0, UNITS, this.#bins, this.#binColumns),
      convolution(1, NARROW, UNITS, UNITS),
      convolution(2, NARROW, NARROW, NARROW),
      convolution(3, UNITS, NARROW, NARROW),
    ];
    const onInput = get('decoder.rnn.weight_ih').values;
    const onHidden = get('decoder.rnn.weight_hh').values;
    const biases = [get('decoder.rnn.bias_ih').values, get('decoder.rnn.bias_hh').values] as const;
    this.#recurrent = this.#layer(
      4 * UNITS,
      2 * UNITS,
      (row, column) =>
        (column < UNITS
          ? onInput[row * UNITS + column]
          : onHidden[row * UNITS + column - UNITS]) as number,
      biases[0].map((value, row) => value + (biases[1][row] as number)),
    );
    this.#outWeights = get('decoder.decoder.2.weight').values;
    this.#outBias = get('decoder.decoder.2.bias').values[0] as number;

    const take = (vectors: number) => this.#memory.take(vectors * LANES);
    this.#audio = take(this.contextSamples + this.windowSamples + this.#filterSamples / 2);
    this.#spectrum = take(2 * binRows);
    this.#magnitudes = take(FRAMES * this.#binColumns);
    this.#wide = take(FRAMES * UNITS);
    this.#narrow = take(2 * NARROW);
    this.#narrowest = take(NARROW);
    this.#inAndHidden = take(2 * UNITS);
    this.#gates = take(4 * UNITS);
    this.#cell = take(UNITS);
  }

  /** The probability of speech, 0…1, in each of 1 to {@link LANES} windows; each must be from a different stream. */
  judge(windows: readonly SpeechWindow[]): readonly number[] {
    for (const [lane, { samples, memory }] of windows.entries()) this.#load(lane, samples, memory);
    this.#transform();
    this.#encode();
    const { kernels } = this.#memory;
    this.#multiply(this.#recurrent, this.#gates.at, this.#inAndHidden.at, NO_FLOOR);
    const hiddenAt = this.#inAndHidden.at + UNITS * VECTOR_BYTES;
    kernels.cell(this.#gates.at, this.#cell.at, hiddenAt, UNITS);
    return windows.map(({ memory }, lane) => this.#store(lane, memory));
  }

  #load(lane: number, samples: Int16Array, memory: Float32Array): void {
    const audio = this.#audio.values;
    const length = this.contextSamples + this.windowSamples;
    for (let i = 0; i < length; i++) audio[i * LANES + lane] = (samples[i] as number) / 32_768;
    // Mirrors the end so that the last transform has full length.
    const mirrored = length + this.#filterSamples / 4;
    for (let i = length; i < mirrored; i++)
      audio[i * LANES + lane] = audio[(2 * length - 2 - i) * LANES + lane] as number;
    const hidden = this.#inAndHidden.values;
    for (let i = 0; i < UNITS; i++) {
      hidden[(UNITS + i) * LANES + lane] = memory[i] as number;
      this.#cell.values[i * LANES + lane] = memory[UNITS + i] as number;
    }
  }

  #transform(): void {
    const hopBytes = (this.#filterSamples / 2) * VECTOR_BYTES;
    const imaginaryAt = this.#spectrum.at + this.#spectrum.values.byteLength / 2;
    for (let frame = 0; frame < FRAMES; frame++) {
      const x = this.#audio.at + frame * hopBytes;
      this.#multiply(this.#spectrumLayer, this.#spectrum.at, x, NO_FLOOR);
      const y = this.#magnitudes.at + frame * this.#binColumns * VECTOR_BYTES;
      this.#memory.kernels.magnitude(y, this.#spectrum.at, imaginaryAt, this.#bins);
    }
  }

  #encode(): void {
    const [first, second, third, fourth] = this.#convolutions;
    this.#convolve(first, this.#magnitudes.at, FRAMES, 1, this.#wide.at);
    this.#convolve(second, this.#wide.at, FRAMES, 2, this.#narrow.at);
    this.#convolve(third, this.#narrow.at, 2, 2, this.#narrowest.at);
    this.#convolve(fourth, this.#narrowest.at, 1, 1, this.#inAndHidden.at);
  }

  /** Convolution with three taps and one frame of zero padding at each end; the padding is skipped. */
  #convolve(layer: Layer, x: number, frames: number, stride: number, y: number): void {
    const inputs = layer.columns / TAPS;
    const rowBytes = layer.blocks * BLOCK_ROWS * VECTOR_BYTES;
    for (let frame = 0; frame < frames; frame += stride) {
      const from = Math.max(0, frame - 1);
      const taps = Math.min(frames, frame + 2) - from;
      const skippedTaps = from - (frame - 1);
      this.#memory.kernels.dense(
        y + (frame / stride) * rowBytes,
        x + from * inputs * VECTOR_BYTES,
        layer.weights.at + skippedTaps * inputs * BLOCK_ROWS * 4,
        layer.bias.at,
        layer.blocks,
        taps * inputs,
        layer.columns * BLOCK_ROWS * 4,
        0,
      );
    }
  }

  #multiply(layer: Layer, y: number, x: number, floor: number): void {
    const { weights, bias, blocks, columns } = layer;
    const blockBytes = columns * BLOCK_ROWS * 4;
    this.#memory.kernels.dense(y, x, weights.at, bias.at, blocks, columns, blockBytes, floor);
  }

  #store(lane: number, memory: Float32Array): number {
    const hidden = this.#inAndHidden.values;
    let sum = this.#outBias;
    for (let i = 0; i < UNITS; i++) {
      const h = hidden[(UNITS + i) * LANES + lane] as number;
      memory[i] = h;
      memory[UNITS + i] = this.#cell.values[i * LANES + lane] as number;
      if (h > 0) sum += h * (this.#outWeights[i] as number);
    }
    return 1 / (1 + Math.exp(-sum));
  }

  #layer(
    rows: number,
    columns: number,
    weight: (row: number, column: number) => number,
    bias: ArrayLike<number> = [],
  ): Layer {
    const weights = this.#memory.take(rows * columns);
    for (let row = 0; row < rows; row++) {
      const block = Math.floor(row / BLOCK_ROWS);
      for (let column = 0; column < columns; column++) {
        const at = (block * columns + column) * BLOCK_ROWS + (row % BLOCK_ROWS);
        weights.values[at] = weight(row, column);
      }
    }
    const biases = this.#memory.take(rows);
    biases.values.set(Array.from(bias));
    return { weights, bias: biases, blocks: rows / BLOCK_ROWS, columns };
  }
}
