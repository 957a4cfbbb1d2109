import { gainFromDb } from './mix.ts';

const FULL_SCALE = 32768;
/** Level from which peaks are compressed softly instead of clipped, so that amplified speech stays clear. */
const KNEE = 0.7;

/** A volume that can change at any time; it ramps to the new value over the next chunk, so it does not click. */
export class Volume {
  #from = 1;
  #to = 1;

  set(gainDb: number): void {
    this.#to = gainFromDb(gainDb);
  }

  /** The chunk at this volume; the same array if the volume is unchanged at 0 dB. */
  apply(pcm: Int16Array): Int16Array {
    if (this.#from === 1 && this.#to === 1) return pcm;
    const step = (this.#to - this.#from) / Math.max(1, pcm.length);
    const louder = pcm.map((sample, i) => bend((sample / FULL_SCALE) * (this.#from + step * i)));
    this.#from = this.#to;
    return louder;
  }
}

function bend(value: number): number {
  const level = Math.abs(value);
  const bent = level <= KNEE ? level : KNEE + (1 - KNEE) * Math.tanh((level - KNEE) / (1 - KNEE));
  return Math.round(Math.sign(value) * Math.min(bent, 1) * (FULL_SCALE - 1));
}
