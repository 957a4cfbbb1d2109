import { type Kernels, kernelModule } from './kernels.ts';

interface WasmApi {
  readonly Memory: new (limits: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, object>>>>,
  ) => { readonly exports: unknown };
}

/** The part of `WebAssembly` that is used: the types of it come with browsers' libraries only. */
const wasm = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;

const PAGE_BYTES = 65_536;

/** A stretch of the kernels' memory: seen as numbers, and by its address. */
export interface Region {
  readonly at: number;
  readonly values: Float32Array;
}

/** The kernels and the memory they work on, of a size fixed from the start. */
export class KernelMemory {
  readonly kernels: Kernels;
  readonly #buffer: ArrayBuffer;
  #used = 0;

  constructor(floats: number) {
    const memory = new wasm.Memory({ initial: Math.ceil((floats * 4) / PAGE_BYTES) });
    const instance = new wasm.Instance(new wasm.Module(kernelModule()), { env: { memory } });
    this.kernels = instance.exports as Kernels;
    this.#buffer = memory.buffer;
  }

  /** Room for this many numbers, all zero; RangeError where there is none left. */
  take(floats: number): Region {
    const at = this.#used;
    this.#used += floats * 4;
    return { at, values: new Float32Array(this.#buffer, at, floats) };
  }
}
