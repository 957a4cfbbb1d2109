import type { PlayoutTap } from './far-end.ts';

const SLOT_MS = 20;
/** 1.28 s: audio sent ahead of playback, and audio whose echo may still return. */
const SLOTS = 64;
const SILENCE_DB = -120;
const FULL_SCALE = 32_768;

/** Level of the assistant's sound at the instants at which the caller's loudspeaker plays it. */
export class FarLevels implements PlayoutTap {
  readonly #sampleRateHz: number;
  readonly #slots = new Float64Array(SLOTS).fill(-1);
  readonly #energies = new Float64Array(SLOTS);

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  write(pcm: Int16Array, atMs: number): void {
    const samplesPerMs = this.#sampleRateHz / 1000;
    for (let from = 0; from < pcm.length; ) {
      const nowMs = atMs + from / samplesPerMs;
      const slot = Math.floor(nowMs / SLOT_MS);
      const to = Math.max(from + 1, Math.ceil(((slot + 1) * SLOT_MS - atMs) * samplesPerMs));
      let energy = 0;
      for (let i = from; i < Math.min(to, pcm.length); i++) energy += (pcm[i] as number) ** 2;
      this.#add(slot, energy);
      from = to;
    }
  }

  erase(fromMs: number): void {
    const first = Math.floor(fromMs / SLOT_MS);
    for (let i = 0; i < SLOTS; i++) if ((this.#slots[i] as number) > first) this.#slots[i] = -1;
  }

  /** Level (dB relative to full scale) of the 20 ms slot that contains this instant. */
  levelAt(atMs: number): number {
    const slot = Math.floor(atMs / SLOT_MS);
    const index = slot % SLOTS;
    if (this.#slots[index] !== slot) return SILENCE_DB;
    const samples = (this.#sampleRateHz * SLOT_MS) / 1000;
    const meanSquare = (this.#energies[index] as number) / samples / FULL_SCALE ** 2;
    return Math.max(SILENCE_DB, 10 * Math.log10(meanSquare + 1e-12));
  }

  #add(slot: number, energy: number): void {
    const index = slot % SLOTS;
    if (this.#slots[index] !== slot) {
      this.#slots[index] = slot;
      this.#energies[index] = 0;
    }
    this.#energies[index] = (this.#energies[index] as number) + energy;
  }
}
