import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/system-clock.ts';
import { startDeepgramListenEmulator } from './deepgram-listen-emulator.ts';
import {
  type OpenAiSpeechEmulator,
  type Performance,
  startOpenAiSpeechEmulator,
} from './openai-speech-emulator.ts';
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
  readonly #voice: OpenAiSpeechEmulator;
  readonly #ears: Map<string, PromiseWithResolvers<ScriptedEars>>;
  readonly #performances: Map<string, Performance>;

  private constructor(
    parts: Pick<SoundStage, 'service'> & {
      folder: string;
      recogniser: VendorSocketEmulator;
      voice: OpenAiSpeechEmulator;
      ears: Map<string, PromiseWithResolvers<ScriptedEars>>;
      performances: Map<string, Performance>;
    },
  ) {
    this.service = parts.service;
    this.#folder = parts.folder;
    this.#recogniser = parts.recogniser;
    this.#voice = parts.voice;
    this.#ears = parts.ears;
    this.#performances = parts.performances;
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
    const performances = new Map<string, Performance>();
    const voice = await startOpenAiSpeechEmulator({ perform: (text) => performances.get(text) });
    const folder = await mkdtemp(join(tmpdir(), 'parley-sound-'));
    const service = await startService(folder, {
      ALLOW_PRIVATE_TARGETS: 'true',
      DEEPGRAM_API_KEY: 'scripted',
      DEEPGRAM_BASE_URL: recogniser.baseUrl,
      OPENAI_API_KEY: 'scripted',
      OPENAI_BASE_URL: voice.baseUrl,
    });
    return new SoundStage({ service, folder, recogniser, voice, ears, performances });
  }

  /** The voice `openai`, which gives no word times, speaks this text like that. */
  perform(text: string, performance: Performance): void {
    this.#performances.set(text, performance);
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
    await this.#voice[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
