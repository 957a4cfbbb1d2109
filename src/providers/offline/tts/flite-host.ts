import { type WasmImports, type WasmInstance, type WasmModule, wasm } from './web-assembly.ts';

// The few WASI calls that flite makes, served from memory: it gets arguments, prints, and writes one file.
const ERRNO = { success: 0, badf: 8, noent: 44, spipe: 70 } as const;
const FIRST_FILE_FD = 4;
const ROOT_FD = 3;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const FIRST_FILE_BYTES = 64 * 1024;
/** Of WebAssembly: 17 MiB are flite's data, and a clause takes some 1 to 10. */
const MAX_KEPT_MEMORY_BYTES = 48 * 1024 * 1024;

/** Thrown by `proc_exit` to leave the module. */
class ProcessExit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

export interface FliteOutput {
  readonly stdout: string;
  /** The content written to the `-o` file. */
  readonly file: Uint8Array;
}

interface OpenFile {
  position: number;
}

/**
 * The flite command, which expects memory as it is at its start. An instance takes longer to make than a short clause to
 * speak, so one serves many runs, and its memory is put back before each.
 */
export class FliteCommand {
  readonly #module: WasmModule;
  #instance: WasmInstance | undefined;
  /** The memory of an instance that has not run. */
  #initialMemory: Uint8Array | undefined;
  #isReady = false;
  #arguments: readonly Uint8Array[] = [];
  #printed = { stdout: [] as Uint8Array[], bytes: 0 };
  #file = new Uint8Array();
  #fileBytes = 0;
  readonly #open = new Map<number, OpenFile>();
  #nextFd = FIRST_FILE_FD;

  constructor(module: WasmModule) {
    this.#module = module;
  }

  /** Does ahead what the next run would begin with. */
  prepare(): void {
    if (this.#isReady) return;
    if (this.#instance && this.#initialMemory) {
      const memory = new Uint8Array(this.#memory);
      memory.set(this.#initialMemory);
      memory.fill(0, this.#initialMemory.length);
    } else {
      this.#instance = new wasm.Instance(this.#module, {
        wasi_snapshot_preview1: this.#imports(),
      });
      this.#initialMemory ??= new Uint8Array(this.#memory).slice();
    }
    this.#isReady = true;
  }

  run(args: readonly string[]): FliteOutput {
    this.prepare();
    this.#arguments = ['flite', ...args].map((arg) => new TextEncoder().encode(`${arg}\0`));
    this.#printed = { stdout: [], bytes: 0 };
    this.#file = new Uint8Array(FIRST_FILE_BYTES);
    this.#fileBytes = 0;
    this.#open.clear();
    this.#nextFd = FIRST_FILE_FD;
    this.#start();
    return {
      stdout: Buffer.concat(this.#printed.stdout).toString('latin1'),
      file: this.#file.subarray(0, this.#fileBytes),
    };
  }

  #start(): void {
    const { memory, _start } = (this.#instance as WasmInstance).exports;
    this.#isReady = false;
    let isReusable = false;
    try {
      _start();
      // The memory of an instance never shrinks.
      isReusable = memory.buffer.byteLength <= MAX_KEPT_MEMORY_BYTES;
    } catch (error) {
      // The stack pointer, which is not in the memory, stays where the command was left.
      if (!(error instanceof ProcessExit)) throw error;
      if (error.code !== 0) throw new Error(`flite ended with exit code ${error.code}`);
    } finally {
      if (!isReusable) this.#instance = undefined;
    }
  }

  get #memory(): ArrayBuffer {
    return (this.#instance as WasmInstance).exports.memory.buffer;
  }

  #view(): DataView {
    return new DataView(this.#memory);
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory, at, length);
  }

  #imports(): WasmImports {
    return {
      args_sizes_get: (countAt: number, bytesAt: number) => {
        this.#view().setUint32(countAt, this.#arguments.length, true);
        const bytes = this.#arguments.reduce((sum, arg) => sum + arg.length, 0);
        this.#view().setUint32(bytesAt, bytes, true);
        return ERRNO.success;
      },
      args_get: (pointersAt: number, bufferAt: number) => {
        let at = bufferAt;
        for (const [i, arg] of this.#arguments.entries()) {
          this.#view().setUint32(pointersAt + 4 * i, at, true);
          this.#bytes(at, arg.length).set(arg);
          at += arg.length;
        }
        return ERRNO.success;
      },
      // flite measures its own speed; nothing depends on the answer.
      clock_time_get: (_id: number, _precision: bigint, at: number) => {
        this.#view().setBigUint64(at, 0n, true);
        return ERRNO.success;
      },
      fd_close: (fd: number) => {
        this.#open.delete(fd);
        return ERRNO.success;
      },
      fd_fdstat_get: (fd: number, at: number) => this.#describe(fd, at),
      fd_fdstat_set_flags: () => ERRNO.success,
      fd_prestat_get: (fd: number, at: number) => {
        if (fd !== ROOT_FD) return ERRNO.badf;
        this.#view().setUint32(at, 0, true);
        this.#view().setUint32(at + 4, 1, true);
        return ERRNO.success;
      },
      fd_prestat_dir_name: (_fd: number, at: number) => {
        this.#bytes(at, 1)[0] = 0x2f;
        return ERRNO.success;
      },
      fd_read: () => ERRNO.badf,
      fd_seek: (fd: number, offset: bigint, whence: number, at: number) =>
        this.#seek(fd, Number(offset), whence, at),
      fd_write: (fd: number, vectorsAt: number, count: number, writtenAt: number) =>
        this.#write(fd, vectorsAt, count, writtenAt),
      path_open: (...args: number[]) => this.#openFile(args[4] ?? 0, args[8] ?? 0),
      proc_exit: (code: number) => {
        throw new ProcessExit(code);
      },
    };
  }

  #describe(fd: number, at: number): number {
    const [CHARACTER_DEVICE, DIRECTORY, REGULAR_FILE] = [2, 3, 4] as const;
    const type = fd < ROOT_FD ? CHARACTER_DEVICE : fd === ROOT_FD ? DIRECTORY : REGULAR_FILE;
    const view = this.#view();
    view.setUint16(at, type, true);
    view.setUint16(at + 2, 0, true);
    view.setBigUint64(at + 8, 0xffff_ffff_ffff_ffffn, true);
    view.setBigUint64(at + 16, 0xffff_ffff_ffff_ffffn, true);
    return ERRNO.success;
  }

  #openFile(flags: number, fdAt: number): number {
    const CREATE = 1;
    if ((flags & CREATE) === 0) return ERRNO.noent;
    const fd = this.#nextFd++;
    this.#open.set(fd, { position: 0 });
    this.#view().setUint32(fdAt, fd, true);
    return ERRNO.success;
  }

  #seek(fd: number, offset: number, whence: number, at: number): number {
    const file = this.#open.get(fd);
    if (!file) return fd < ROOT_FD ? ERRNO.spipe : ERRNO.badf;
    const from = whence === 0 ? 0 : whence === 1 ? file.position : this.#fileBytes;
    file.position = from + offset;
    this.#view().setBigUint64(at, BigInt(file.position), true);
    return ERRNO.success;
  }

  #write(fd: number, vectorsAt: number, count: number, writtenAt: number): number {
    const view = this.#view();
    let written = 0;
    for (let i = 0; i < count; i++) {
      const at = view.getUint32(vectorsAt + 8 * i, true);
      const length = view.getUint32(vectorsAt + 8 * i + 4, true);
      this.#store(fd, this.#bytes(at, length));
      written += length;
    }
    view.setUint32(writtenAt, written, true);
    return ERRNO.success;
  }

  #store(fd: number, bytes: Uint8Array): void {
    const file = this.#open.get(fd);
    if (!file) {
      this.#printed.bytes += bytes.length;
      if (fd === 1 && this.#printed.bytes < MAX_OUTPUT_BYTES)
        this.#printed.stdout.push(bytes.slice());
      return;
    }
    const end = file.position + bytes.length;
    if (end > MAX_OUTPUT_BYTES) throw new Error('flite wrote more than an utterance can be');
    if (end > this.#file.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#file.length));
      larger.set(this.#file);
      this.#file = larger;
    }
    this.#file.set(bytes, file.position);
    file.position = end;
    this.#fileBytes = Math.max(this.#fileBytes, end);
  }
}
