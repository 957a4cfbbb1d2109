import { LoopCursor } from '../../audio/loop-cursor.ts';
import { gainFromDb, mixInto } from '../../audio/mix.ts';
import type { SoundLoop } from '../../audio/sound-loop.ts';

/** A sound with its gain in pauses and its gain under speech. Its loop has the leg's rate. */
export interface BackgroundSound {
  readonly loop: SoundLoop;
  readonly gainDb: number;
  readonly underSpeechDb: number;
}

interface Layer {
  readonly sound: BackgroundSound;
  readonly cursor: LoopCursor;
  gain: number;
  leaving: boolean;
}

/** Length of each fade: in, out, and down under speech. */
const FADE_MS = 200;
/** One that plays, and some that still fade out. */
const MAX_LAYERS = 4;

/**
 * Mixes background sound or hold music under the assistant's speech and into its pauses. It is not part of any
 * utterance: playback positions, marks and recordings leave it out.
 */
export class BackgroundMixer {
  readonly #sampleRateHz: number;
  #layers: Layer[] = [];

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  /** True while a sound plays or fades. */
  get isOn(): boolean {
    return this.#layers.length > 0;
  }

  /** Fades to this sound, which starts from its beginning; undefined fades to silence. */
  play(sound: BackgroundSound | undefined): void {
    for (const layer of this.#layers) layer.leaving = true;
    this.#layers = this.#layers.filter(({ gain }) => gain > 0).slice(1 - MAX_LAYERS);
    if (!sound) return;
    this.#layers.push({ sound, cursor: new LoopCursor(sound.loop), gain: 0, leaving: false });
  }

  /** Mixes the sound's next samples into speech, in place. */
  mixUnder(pcm: Int16Array): void {
    this.#mix(pcm, 'underSpeechDb');
  }

  /** The sound's next samples without speech. */
  read(samples: number): Int16Array {
    const pcm = new Int16Array(samples);
    this.#mix(pcm, 'gainDb');
    return pcm;
  }

  /** Goes back by the audio that the far end dropped unheard. */
  rewind(durationMs: number): void {
    const samples = Math.round((durationMs * this.#sampleRateHz) / 1000);
    for (const { cursor } of this.#layers) cursor.rewind(samples);
  }

  // A full fade takes FADE_MS, so each gain changes by at most the part of it that these samples last.
  #mix(pcm: Int16Array, level: 'gainDb' | 'underSpeechDb'): void {
    if (!this.isOn) return;
    const fadePart = (pcm.length * 1000) / this.#sampleRateHz / FADE_MS;
    for (const layer of this.#layers) {
      const { sound, cursor, gain } = layer;
      const aim = layer.leaving ? 0 : gainFromDb(sound[level]);
      const most = fadePart * gainFromDb(Math.max(sound.gainDb, sound.underSpeechDb));
      layer.gain = gain + Math.max(-most, Math.min(most, aim - gain));
      mixInto(pcm, cursor.read(pcm.length), gain, layer.gain);
    }
    this.#layers = this.#layers.filter(({ leaving, gain }) => !leaving || gain > 0);
  }
}
