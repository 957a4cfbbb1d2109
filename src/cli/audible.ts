import { rmsDb, SILENCE_DB } from '../audio/level.ts';

/** Quieter than this nobody hears. */
const AUDIBLE_DB = -50;
/** A voice stands out of the sound it lies on by this much. */
const ABOVE_BED_DB = 12;
/** Any speech is as quiet as what lies under it once in so long. */
const BED_MEMORY_MS = 2000;
/** Single windows of a noise differ; its level is that of so many. */
const SMOOTHED_WINDOWS = 8;

/** Length of the windows that are judged. */
export const AUDIBLE_WINDOW_MS = 5;

/** Tells a voice from silence, and from background sound that goes on under it, window by window. */
export class AudibleVoice {
  readonly #powers: number[] = [];
  // Before the first sound there was none.
  readonly #minima: { readonly db: number; readonly index: number }[] = [
    { db: SILENCE_DB, index: 0 },
  ];
  #index = 0;

  /** Whether somebody is heard in the next window. */
  judge(window: Int16Array): boolean {
    const db = rmsDb(window);
    const bedDb = this.#follow(db);
    return db > Math.max(AUDIBLE_DB, bedDb + ABOVE_BED_DB);
  }

  /** The quietest moment of the last seconds. */
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
