import { systemClock } from '../../../src/lib/system-clock.ts';
import { createOfflineTts } from '../../../src/providers/offline/tts/adapter.ts';
import { atLevel, CallerVoice } from '../../../src/testing/spoken/caller-voice.ts';
import { RATE_HZ } from '../../support/sound-call.ts';
import type { Utterance } from '../../support/utterance.ts';

/** Makes sound of texts with the offline voices: those of callers, and how long the assistant's replies last. */
export class Speaker implements AsyncDisposable {
  readonly #tts = createOfflineTts({ clock: systemClock });
  readonly #voice = new CallerVoice(this.#tts);

  /** Mono PCM16 at the rate of a {@link RATE_HZ} call; `levelDb` is its loudness in dBFS, absent: the voice's own. */
  async speak(text: string, voice?: string, levelDb?: number): Promise<Int16Array> {
    const { pcm } = await this.utter(text, voice);
    return levelDb === undefined ? pcm : atLevel(pcm, levelDb);
  }

  /** The same with the times of its words, as the voice itself tells them. */
  async utter(text: string, voice?: string): Promise<Utterance> {
    const { pcm, words } = await this.#voice.speak(text, RATE_HZ, voice ? { voice } : {});
    return {
      pcm,
      words: words.map(({ word, ...times }) => ({ text: word, ...times })),
      speechFromMs: 0,
      speechToMs: (pcm.length * 1000) / RATE_HZ,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#tts.close();
  }
}
