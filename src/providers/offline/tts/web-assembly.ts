/** A compiled module, passed on but never inspected. */
export interface WasmModule {
  readonly wasmModule: unique symbol;
}

export interface WasmInstance {
  readonly exports: {
    readonly memory: { readonly buffer: ArrayBuffer };
    readonly _start: () => void;
  };
}

export type WasmImports = Readonly<Record<string, (...args: never[]) => number>>;

interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: Readonly<Record<string, WasmImports>>,
  ) => WasmInstance;
}

/** The part of `WebAssembly` that a command needs; its types ship only with the DOM library. */
export const wasm = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;
