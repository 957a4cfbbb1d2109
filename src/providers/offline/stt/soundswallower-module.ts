import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import createModule, { type Decoder as PackageDecoder } from 'soundswallower';

/** A decoder, with its pointer for the C functions. */
export interface Decoder extends PackageDecoder {
  readonly cdecoder: number;
}

/** The parts of soundswallower used beyond its documented classes. */
export interface SoundSwallower {
  readonly Decoder: new (config: Record<string, unknown>) => Decoder;
  /** Replaced when the memory grows: read it anew before each use. */
  readonly HEAP32: Int32Array;
  _malloc(bytes: number): number;
  /** Writes the score of the best path so far to `score`. */
  _decoder_hyp(decoder: number, score: number): number;
}

/** Instantiates the recogniser's WebAssembly. Call it in a separate thread: it computes without pause. */
export async function loadSoundSwallower(): Promise<SoundSwallower> {
  const before = process.listeners('uncaughtException');
  const module = (await createModule()) as unknown as SoundSwallower;
  // Emscripten leaves a hook behind that rethrows every uncaught exception.
  for (const listener of process.listeners('uncaughtException')) {
    if (!before.includes(listener)) process.removeListener('uncaughtException', listener);
  }
  return module;
}

/** The folder of a model in the package; the package's own default depends on the working directory. */
export function modelPath(model: string): string {
  const folder = join(
    dirname(fileURLToPath(import.meta.resolve('soundswallower'))),
    'model',
    model,
  );
  if (!existsSync(folder)) throw new Error(`soundswallower has no model at ${folder}`);
  return folder;
}
