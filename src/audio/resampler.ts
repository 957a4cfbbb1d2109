import createSpeexModule from '@echogarden/speex-resampler-wasm/simd';

/** Changes the sample rate of one audio stream; the filter keeps its state between chunks. */
export interface Resampler {
  readonly fromHz: number;
  readonly toHz: number;
  /** Returns a new array, or `pcm` itself if the rates are equal. */
  process(pcm: Int16Array): Int16Array;
  /** Ends the stream: returns the last few milliseconds held by the filter and resets it. */
  flush(): Int16Array;
  /** Drops the tail held by the filter and starts a new stream. */
  reset(): void;
  /** Frees the filter; `process` throws afterwards. */
  close(): void;
}

// Quality 4 of 10: flat within 1 dB up to 0.85 of the lower Nyquist frequency, for 10-20 µs a frame.
const QUALITY = 4;
/** Samples processed at once; longer chunks are split. */
const BLOCK_SAMPLES = 4800;
const EMPTY = new Int16Array(0);

// One WebAssembly instance for all calls, created on import; takes some milliseconds.
const speex = await createSpeexModule();

/** Output is aligned with input: the filter's delay is dropped at the start and made up by `flush`. */
export function createResampler(fromHz: number, toHz: number): Resampler {
  for (const rate of [fromHz, toHz]) {
    if (!Number.isInteger(rate) || rate < 4000 || rate > 192_000) {
      throw new RangeError(`cannot resample ${fromHz} Hz to ${toHz} Hz`);
    }
  }
  return fromHz === toHz ? passthrough(fromHz) : new SpeexResampler(fromHz, toHz);
}

function passthrough(rateHz: number): Resampler {
  return {
    fromHz: rateHz,
    toHz: rateHz,
    process: (pcm) => pcm,
    flush: () => EMPTY,
    reset() {},
    close() {},
  };
}

class SpeexResampler implements Resampler {
  readonly fromHz: number;
  readonly toHz: number;
  readonly #state: number;
  // One allocation holds two counters, the input block and the output block.
  readonly #memory: number;
  readonly #input: number;
  readonly #output: number;
  readonly #outputSamples: number;
  #closed = false;

  constructor(fromHz: number, toHz: number) {
    this.fromHz = fromHz;
    this.toHz = toHz;
    this.#outputSamples = Math.ceil((BLOCK_SAMPLES * toHz) / fromHz) + 16;
    this.#memory = speex._malloc(8 + 2 * (BLOCK_SAMPLES + this.#outputSamples));
    this.#input = this.#memory + 8;
    this.#output = this.#input + 2 * BLOCK_SAMPLES;
    this.#state = speex._speex_resampler_init(1, fromHz, toHz, QUALITY, this.#memory);
    if (this.#memory === 0 || this.#state === 0) {
      throw new Error(`no memory for a resampler from ${fromHz} Hz to ${toHz} Hz`);
    }
    speex._speex_resampler_skip_zeros(this.#state);
  }

  process(pcm: Int16Array): Int16Array {
    if (this.#closed) throw new Error('the resampler is closed');
    if (pcm.length <= BLOCK_SAMPLES) return this.#processBlock(pcm);
    const parts: Int16Array[] = [];
    for (let i = 0; i < pcm.length; i += BLOCK_SAMPLES) {
      parts.push(this.#processBlock(pcm.subarray(i, i + BLOCK_SAMPLES)));
    }
    return concat(parts);
  }

  flush(): Int16Array {
    const held = this.process(
      new Int16Array(speex._speex_resampler_get_input_latency(this.#state)),
    );
    this.reset();
    return held;
  }

  reset(): void {
    if (this.#closed) return;
    speex._speex_resampler_reset_mem(this.#state);
    speex._speex_resampler_skip_zeros(this.#state);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    speex._speex_resampler_destroy(this.#state);
    speex._free(this.#memory);
  }

  #processBlock(pcm: Int16Array): Int16Array {
    speex.HEAP16.set(pcm, this.#input / 2);
    const counters = this.#memory / 4;
    speex.HEAP32[counters] = pcm.length;
    speex.HEAP32[counters + 1] = this.#outputSamples;
    const fault = speex._speex_resampler_process_int(
      this.#state,
      0,
      this.#input,
      this.#memory,
      this.#output,
      this.#memory + 4,
    );
    if (fault !== 0) throw new Error(`the resampler failed with code ${fault}`);
    const produced = speex.HEAP32[counters + 1] as number;
    return speex.HEAP16.slice(this.#output / 2, this.#output / 2 + produced);
  }
}

function concat(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
