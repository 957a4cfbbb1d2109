import { gainFromDb } from './mix.ts';

const FULL_SCALE = 32768;
/** Above it peaks are bent rather than cut, so that louder speech stays clear. */
const KNEE = 0.7;

/** A volume that may change at any moment: it moves to its new value within the next chunk, without a click. */
export class Volume {
  #from = 1;
  #to = 1;

  set(gainDb: number): void {
    this.#to = gainFromDb(gainDb);
  }

  /** The chunk at this volume; the very same array when nothing is to be done. */
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
