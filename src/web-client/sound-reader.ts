import type { SampleRing } from './sample-ring.ts';

/** Length of the units in which pauses are changed. A pause must have lasted `PAUSE_UNITS` of them. */
const UNIT_SECONDS = 0.01;
const PAUSE_UNITS = 6;
/** A unit belongs to a pause below this power, or below `QUIET_SHARE` of the recent peak power. */
const SILENT_POWER = 1e-6;
const QUIET_SHARE = 1e-3;
const LOUDNESS_DECAY = 0.999;

/**
 * A piece of audio being read. `stretch` plays a unit backwards and then forwards again, `cut` crossfades two into one.
 */
interface Segment {
  readonly kind: 'plain' | 'stretch' | 'cut';
  readonly from: number;
  readonly length: number;
}

/** How to change a pause. */
export type PauseChange = 'stretch' | 'cut' | 'keep';

/** Reads audio from the ring sample by sample and lengthens or shortens its pauses on request. Pure. */
export class SoundReader {
  readonly #ring: SampleRing;
  readonly #unit: number;
  #segment: Segment | undefined;
  #index = 0;
  #next: Segment | undefined;
  #loudness = 0;
  #quietUnits = 0;
  /** Position in the ring of the next sample to read. */
  position = 0;
  /** Samples added to pauses and samples removed from them. */
  stretched = 0;
  cut = 0;

  constructor(ring: SampleRing, sampleRateHz: number) {
    this.#ring = ring;
    this.#unit = Math.round(sampleRateHz * UNIT_SECONDS);
  }

  get waiting(): number {
    return this.#ring.written - this.position;
  }

  /**
   * Returns the next sample, or undefined if there is none; within a pause, calls `change` to decide how to change it.
   */
  read(change: () => PauseChange): number | undefined {
    this.#segment ??= this.#next ?? this.#plan(change);
    const segment = this.#segment;
    if (!segment) return undefined;
    if (segment === this.#next) this.#next = undefined;
    const sample = this.#sample(segment, this.#index++);
    if (this.#index === segment.length) this.#leaveSegment();
    return sample;
  }

  /** Abandons the piece being read. */
  reset(): void {
    this.#leaveSegment();
    this.#next = undefined;
    this.#quietUnits = 0;
  }

  #leaveSegment(): void {
    this.#segment = undefined;
    this.#index = 0;
  }

  #plan(change: () => PauseChange): Segment | undefined {
    const unit = this.#unit;
    const from = this.position;
    if (this.waiting === 0) return undefined;
    if (this.waiting < unit) return { kind: 'plain', from, length: this.waiting };
    this.#quietUnits = this.#isQuiet(from) ? this.#quietUnits + 1 : 0;
    const wanted = this.#quietUnits > PAUSE_UNITS ? change() : 'keep';
    if (wanted === 'cut' && this.waiting >= 2 * unit && this.#isQuiet(from + unit)) {
      return { kind: 'cut', from, length: unit };
    }
    if (wanted === 'stretch') this.#next = { kind: 'stretch', from, length: 2 * unit };
    return { kind: 'plain', from, length: unit };
  }

  #isQuiet(from: number): boolean {
    const power = this.#ring.power(from, this.#unit);
    this.#loudness = Math.max(power, this.#loudness * LOUDNESS_DECAY);
    return power < Math.max(SILENT_POWER, this.#loudness * QUIET_SHARE);
  }

  #sample({ kind, from, length }: Segment, index: number): number {
    const ring = this.#ring;
    if (kind === 'plain') {
      this.position++;
      return ring.at(from + index);
    }
    if (kind === 'stretch') {
      this.stretched++;
      const unit = length / 2;
      return ring.at(from + (index < unit ? unit - 1 - index : index - unit));
    }
    this.position += 2;
    this.cut++;
    const share = index / length;
    return ring.at(from + index) * (1 - share) + ring.at(from + length + index) * share;
  }
}
