import { rmsDb } from '../../../src/audio/level.ts';
import { gainFromDb } from '../../../src/audio/mix.ts';
import { joinPcm16 } from '../../../src/audio/pcm16.ts';
import { createResampler } from '../../../src/audio/resampler.ts';
import { systemClock } from '../../../src/lib/system-clock.ts';
import { createOfflineTts, type OfflineTts } from '../../../src/providers/offline/tts/adapter.ts';
import { RATE_HZ } from '../../support/sound-call.ts';

/** Makes sound of texts with the offline voices: those of callers, and how long the assistant's replies last. */
export class Speaker implements AsyncDisposable {
  readonly #voice: OfflineTts = createOfflineTts({ clock: systemClock });

  /** Mono PCM16 at the rate of a {@link RATE_HZ} call; `levelDb` is its loudness in dBFS, absent: the voice's own. */
  async speak(text: string, voice?: string, levelDb?: number): Promise<Int16Array> {
    const parts: Int16Array[] = [];
    // Digits are dictated one by one.
    const spoken = text.replaceAll(/\d(?=\d)/g, '$& ');
    const { signal } = new AbortController();
    const request = { text: spoken, sampleRateHz: RATE_HZ, signal, ...(voice ? { voice } : {}) };
    for await (const part of this.#voice.synthesize(request)) {
      if (part.type !== 'audio') continue;
      const resampler = createResampler(part.sampleRateHz, RATE_HZ);
      parts.push(resampler.process(part.pcm));
      resampler.close();
    }
    const pcm = joinPcm16(parts);
    return levelDb === undefined ? pcm : atLevel(pcm, levelDb);
  }

  async durationMs(text: string): Promise<number> {
    return ((await this.speak(text)).length * 1000) / RATE_HZ;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#voice.close();
  }
}

/** The same sound as loud as this, dBFS. */
export function atLevel(pcm: Int16Array, levelDb: number): Int16Array {
  const gain = gainFromDb(levelDb - rmsDb(pcm));
  return pcm.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * gain))));
}
