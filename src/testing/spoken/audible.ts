import { rmsDb, SILENCE_DB } from '../../audio/level.ts';

/** Anything quieter cannot be heard. */
const AUDIBLE_DB = -50;
/** How far a voice stands out from background sound. */
const ABOVE_BED_DB = 12;
/** Within any span this long, speech pauses often enough to show the background level. */
const BED_MEMORY_MS = 2000;
/** Windows averaged into one level, because single windows of a noise vary. */
const SMOOTHED_WINDOWS = 8;

/** Length of one window. */
export const AUDIBLE_WINDOW_MS = 5;

/** Tells a voice from silence and from steady background sound, window by window. */
export class AudibleVoice {
  readonly #powers: number[] = [];
  // The background starts out silent.
  readonly #minima: { readonly db: number; readonly index: number }[] = [
    { db: SILENCE_DB, index: 0 },
  ];
  #index = 0;

  /** True if a voice is heard in the next window. */
  judge(window: Int16Array): boolean {
    const db = rmsDb(window);
    const bedDb = this.#follow(db);
    return db > Math.max(AUDIBLE_DB, bedDb + ABOVE_BED_DB);
  }

  /** Lowest smoothed level of the last seconds in dBFS: the level of the background. */
  #follow(db: number): number {
    this.#powers.push(db <= SILENCE_DB ? 0 : 10 ** (db / 10));
    if (this.#powers.length > SMOOTHED_WINDOWS) this.#powers.shift();
    const power = this.#powers.reduce((sum, value) => sum + value, 0) / this.#powers.length;
    const smoothed = power === 0 ? SILENCE_DB : 10 * Math.log10(power);
    while (this.#minima.length > 0 && (this.#minima.at(-1)?.db ?? 0) >= smoothed)
      this.#minima.pop();
    this.#minima.push({ db: smoothed, index: this.#index++ });
    const oldest = this.#index - BED_MEMORY_MS / AUDIBLE_WINDOW_MS;
    while ((this.#minima[0]?.index ?? 0) < oldest) this.#minima.shift();
    return this.#minima[0]?.db ?? SILENCE_DB;
  }
}
