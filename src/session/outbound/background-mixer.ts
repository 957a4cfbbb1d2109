import { LoopCursor } from '../../audio/loop-cursor.ts';
import { gainFromDb, mixInto } from '../../audio/mix.ts';
import type { SoundLoop } from '../../audio/sound-loop.ts';

/** A sound below what is said: how loud it is in silence, and under speech. Its loop has the leg's rate. */
export interface BedSound {
  readonly loop: SoundLoop;
  readonly gainDb: number;
  readonly underSpeechDb: number;
}

interface Layer {
  readonly sound: BedSound;
  readonly cursor: LoopCursor;
  gain: number;
  leaving: boolean;
}

/** How long a sound takes to come, to go, and to sink below speech. */
const FADE_MS = 200;
/** The one that plays and some that still fade. */
const MAX_LAYERS = 4;

/**
 * The sound that lies below the assistant's speech and fills its pauses: background sound, or hold music in its
 * stead. It is nobody's speech: positions, marks and recordings know nothing of it.
 */
export class BackgroundMixer {
  readonly #sampleRateHz: number;
  #layers: Layer[] = [];

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  /** Something sounds, or still fades. */
  get isOn(): boolean {
    return this.#layers.length > 0;
  }

  /** Fades over to this sound, from its beginning; to silence without one. */
  play(sound: BedSound | undefined): void {
    for (const layer of this.#layers) layer.leaving = true;
    this.#layers = this.#layers.filter(({ gain }) => gain > 0).slice(1 - MAX_LAYERS);
    if (!sound) return;
    this.#layers.push({ sound, cursor: new LoopCursor(sound.loop), gain: 0, leaving: false });
  }

  /** Lays the next stretch below speech, in place. */
  mixUnder(pcm: Int16Array): void {
    this.#mix(pcm, 'underSpeechDb');
  }

  /** The next stretch by itself. */
  read(samples: number): Int16Array {
    const pcm = new Int16Array(samples);
    this.#mix(pcm, 'gainDb');
    return pcm;
  }

  /** The far end dropped so much of what it was sent. */
  rewind(durationMs: number): void {
    const samples = Math.round((durationMs * this.#sampleRateHz) / 1000);
    for (const { cursor } of this.#layers) cursor.rewind(samples);
  }

  // A gain goes at most so far towards its aim as the stretch is long.
  #mix(pcm: Int16Array, level: 'gainDb' | 'underSpeechDb'): void {
    if (!this.isOn) return;
    const share = (pcm.length * 1000) / this.#sampleRateHz / FADE_MS;
    for (const layer of this.#layers) {
      const { sound, cursor, gain } = layer;
      const aim = layer.leaving ? 0 : gainFromDb(sound[level]);
      const most = share * gainFromDb(Math.max(sound.gainDb, sound.underSpeechDb));
      layer.gain = gain + Math.max(-most, Math.min(most, aim - gain));
      mixInto(pcm, cursor.read(pcm.length), gain, layer.gain);
    }
    this.#layers = this.#layers.filter(({ leaving, gain }) => !leaving || gain > 0);
  }
}
