import type { SampleRing } from './sample-ring.ts';

/** Pauses are changed in units of this length, and only once they have lasted some units. */
const UNIT_SECONDS = 0.01;
const PAUSE_UNITS = 6;
/** Below this power, or this share of the loudest lately, a unit is part of a pause. */
const SILENT_POWER = 1e-6;
const QUIET_SHARE = 1e-3;
const LOUDNESS_DECAY = 0.999;

/** A piece of sound being read. `stretch` plays a unit backwards and forwards again, `cut` blends two into one. */
interface Segment {
  readonly kind: 'plain' | 'stretch' | 'cut';
  readonly from: number;
  readonly length: number;
}

/** What is to be done with a pause. */
export type PauseChange = 'stretch' | 'cut' | 'keep';

/** Reads sound from the ring, sample by sample, and makes its pauses longer or shorter on request. Pure. */
export class SoundReader {
  readonly #ring: SampleRing;
  readonly #unit: number;
  #segment: Segment | undefined;
  #index = 0;
  #next: Segment | undefined;
  #loudness = 0;
  #quietUnits = 0;
  /** Position in the ring of the next sample to be read. */
  position = 0;
  /** Samples added to pauses, and taken out of them. */
  stretched = 0;
  cut = 0;

  constructor(ring: SampleRing, sampleRateHz: number) {
    this.#ring = ring;
    this.#unit = Math.round(sampleRateHz * UNIT_SECONDS);
  }

  get waiting(): number {
    return this.#ring.written - this.position;
  }

  /** The next sample, undefined where there is none; within a pause, asks what is to be done with it. */
  read(change: () => PauseChange): number | undefined {
    this.#segment ??= this.#next ?? this.#plan(change);
    const segment = this.#segment;
    if (!segment) return undefined;
    if (segment === this.#next) this.#next = undefined;
    const sample = this.#sample(segment, this.#index++);
    if (this.#index === segment.length) this.#leaveSegment();
    return sample;
  }

  /** What was being read is not gone on with. */
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
