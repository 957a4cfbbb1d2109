import { rmsDb } from '../../audio/level.ts';
import { applyGain, gainFromDb } from '../../audio/mix.ts';
import { joinPcm16 } from '../../audio/pcm16.ts';
import { createResampler } from '../../audio/resampler.ts';
import type { Tts, WordTiming } from '../../ports/tts.ts';

/** How a caller speaks. */
export interface Manner {
  readonly voice?: string;
  /** 1 is the voice's own. */
  readonly speed?: number;
  /** Factor of the pitch; 1 is the voice's own. */
  readonly pitch?: number;
}

/** A text as sound, mono PCM16, and when each word of it begins and ends. */
export interface SpokenText {
  readonly pcm: Int16Array;
  readonly words: readonly WordTiming[];
}

/** Speaks the lines of callers with a voice that can be set. */
export class CallerVoice {
  readonly #voice: Tts;

  constructor(voice: Tts) {
    this.#voice = voice;
  }

  async speak(
    text: string,
    sampleRateHz: number,
    { voice, speed = 1, pitch = 1 }: Manner = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<SpokenText> {
    // Digits are dictated one by one.
    const spoken = text.replaceAll(/\d(?=\d)/g, '$& ');
    const request = {
      text: spoken,
      sampleRateHz,
      signal,
      ...(voice ? { voice } : {}),
      // Played faster it is higher, and has to be spoken slower to last as long.
      settings: { speed: speed / pitch },
    };
    const parts: Int16Array[] = [];
    const words: WordTiming[] = [];
    for await (const part of this.#voice.synthesize(request)) {
      if (part.type === 'words')
        words.push(
          ...part.words.map(({ word, startMs, endMs }) => ({
            word,
            startMs: startMs / pitch,
            endMs: endMs / pitch,
          })),
        );
      if (part.type !== 'audio') continue;
      const resampler = createResampler(Math.round(part.sampleRateHz * pitch), sampleRateHz);
      parts.push(resampler.process(part.pcm));
      resampler.close();
    }
    return { pcm: joinPcm16(parts), words };
  }
}

/** The same sound as loud as this, dBFS. */
export function atLevel(pcm: Int16Array, levelDb: number): Int16Array {
  const louder = pcm.slice();
  applyGain(louder, gainFromDb(levelDb - rmsDb(pcm)));
  return louder;
}
