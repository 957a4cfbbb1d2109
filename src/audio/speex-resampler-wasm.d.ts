declare module '@echogarden/speex-resampler-wasm/simd' {
  /** The C API of SpeexDSP's resampler; pointers are byte offsets into the heap. */
  export interface SpeexModule {
    /** Read it anew for each use: it is replaced when the memory grows. */
    readonly HEAP16: Int16Array;
    readonly HEAP32: Int32Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _speex_resampler_init(
      channels: number,
      fromHz: number,
      toHz: number,
      quality: number,
      error: number,
    ): number;
    _speex_resampler_process_int(
      state: number,
      channel: number,
      input: number,
      inputSamples: number,
      output: number,
      outputSamples: number,
    ): number;
    _speex_resampler_skip_zeros(state: number): number;
    _speex_resampler_reset_mem(state: number): number;
    _speex_resampler_get_output_latency(state: number): number;
    _speex_resampler_get_input_latency(state: number): number;
    _speex_resampler_destroy(state: number): void;
  }
  export default function createModule(): Promise<SpeexModule>;
}
