import { applyGain, gainFromDb } from '../../audio/mix.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import type { Playout } from './playout.ts';
import { UtteranceBuffer } from './utterance-buffer.ts';
import type { Voice } from './voice.ts';

interface Deps {
  readonly phrases: readonly string[];
  /** Makes a voice whose events do not reach the machine. */
  readonly createVoice: (emit: (event: CallEvent) => void) => Voice;
  readonly playout: Pick<Playout, 'start'>;
}

const LEVEL_DB = -8;

/** True for events of backchannels, which the machine must not get: their utterance ids are negative. */
export const isAboutBackchannel = (event: CallEvent) => 'uttId' in event && event.uttId < 0;

/** Plays backchannels ("mhm") softly while the caller speaks. Each phrase is synthesised once, ahead. */
export class BackchannelPlayer {
  readonly #deps: Deps;
  readonly #voice: Voice;
  readonly #clips = new Map<string, UtteranceBuffer>();
  #lastId = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#voice = deps.createVoice((event) => {
      if (event.type === 'tts.failed') this.#forget(event.uttId);
    });
  }

  prepare(): void {
    for (const phrase of this.#deps.phrases) {
      if (!this.#clips.has(phrase)) {
        this.#clips.set(phrase, this.#voice.start(--this.#lastId, phrase));
      }
    }
  }

  /** Plays the phrase if it is synthesised; waiting for it would miss the moment. */
  play(phrase: string): void {
    const clip = this.#clips.get(phrase);
    if (!clip?.ended || clip.samples === 0) return;
    const pcm = clip.read(0, clip.samples);
    applyGain(pcm, gainFromDb(LEVEL_DB));
    const backchannel = new UtteranceBuffer(--this.#lastId, clip.sampleRateHz);
    backchannel.push(pcm);
    backchannel.ended = true;
    this.#deps.playout.start(backchannel);
  }

  close(): void {
    this.#voice.close();
  }

  #forget(uttId: number): void {
    for (const [phrase, clip] of this.#clips) {
      if (clip.uttId === uttId) this.#clips.delete(phrase);
    }
  }
}
