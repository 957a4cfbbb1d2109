/** A compiled module; only ever handed on. */
export interface WasmModule {
  readonly wasmModule: unique symbol;
}

interface WasmInstance {
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

/** The part of `WebAssembly` a command needs: the types of it come with browsers' libraries only. */
export const wasm = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;
