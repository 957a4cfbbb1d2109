import { type Kernels, kernelModule } from './kernels.ts';

interface WasmApi {
  readonly Memory: new (limits: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, object>>>>,
  ) => { readonly exports: unknown };
}

/** The part of `WebAssembly` used here; its types ship only with the DOM library. */
const wasm = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;

const PAGE_BYTES = 65_536;

/** A region of the kernels' memory: a typed view and its address. */
export interface Region {
  readonly at: number;
  readonly values: Float32Array;
}

/** The kernels and their memory, whose size is fixed at the start. */
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

  /** Allocates this many zeroed floats; throws RangeError when the memory is full. */
  take(floats: number): Region {
    const at = this.#used;
    this.#used += floats * 4;
    return { at, values: new Float32Array(this.#buffer, at, floats) };
  }
}
