import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/system-clock.ts';
import { startDeepgramListenEmulator } from './deepgram-listen-emulator.ts';
import { ScriptedEars } from './scripted-ears.ts';
import { ServiceProcess } from './service-process.ts';
import type { VendorSocketEmulator } from './vendor-socket-emulator.ts';

/** A recogniser's delay: words are understood this long after they were said. */
const UNDERSTOOD_AFTER_MS = 150;
const INTERIM_MS = 200;

/**
 * The real service with the built-in voice, and a recogniser that is told what each call's caller says. Calls
 * are told apart by a hint.
 */
export class SoundStage implements AsyncDisposable {
  readonly service: ServiceProcess;
  readonly #folder: string;
  readonly #recogniser: VendorSocketEmulator;
  readonly #ears: Map<string, PromiseWithResolvers<ScriptedEars>>;

  private constructor(
    service: ServiceProcess,
    folder: string,
    recogniser: VendorSocketEmulator,
    ears: Map<string, PromiseWithResolvers<ScriptedEars>>,
  ) {
    this.service = service;
    this.#folder = folder;
    this.#recogniser = recogniser;
    this.#ears = ears;
  }

  /** `startService`: tests give it a database that they share; by itself it has one of its own. */
  static async start(startService = ServiceProcess.start): Promise<SoundStage> {
    const ears = new Map<string, PromiseWithResolvers<ScriptedEars>>();
    const recogniser = await startDeepgramListenEmulator({
      clock: systemClock,
      interimMs: INTERIM_MS,
      ears(url, sampleRateHz) {
        const own = new ScriptedEars(sampleRateHz, UNDERSTOOD_AFTER_MS);
        for (const hint of url.searchParams.getAll('keyterm')) ears.get(hint)?.resolve(own);
        return own;
      },
    });
    const folder = await mkdtemp(join(tmpdir(), 'parley-sound-'));
    const service = await startService(folder, {
      ALLOW_PRIVATE_TARGETS: 'true',
      DEEPGRAM_API_KEY: 'scripted',
      DEEPGRAM_BASE_URL: recogniser.baseUrl,
    });
    return new SoundStage(service, folder, recogniser, ears);
  }

  /** The ears of the call with this hint, once its recogniser is connected. */
  ears(hint: string): Promise<ScriptedEars> {
    const own = this.#ears.get(hint) ?? Promise.withResolvers<ScriptedEars>();
    this.#ears.set(hint, own);
    return own.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.stop();
    await this.#recogniser[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
