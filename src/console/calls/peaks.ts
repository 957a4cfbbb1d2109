/** Resolution of the peaks. */
export const BUCKET_MS = 10;
const FIRST_BUCKETS = 4096;
const FULL_SCALE = 32_768;

/** Peak levels of both voices for every 10 ms, computed as the audio arrives. */
export class Peaks {
  readonly #bucketFrames: number;
  readonly #fromBucket: number;
  #lanes = [new Uint16Array(FIRST_BUCKETS), new Uint16Array(FIRST_BUCKETS)] as const;
  #frames = 0;

  /** `fromMs` is where the audio starts on the call's timeline. */
  constructor(sampleRateHz: number, fromMs = 0) {
    this.#bucketFrames = (sampleRateHz * BUCKET_MS) / 1000;
    this.#fromBucket = Math.max(0, Math.round(fromMs / BUCKET_MS));
  }

  /** End of the audio so far on the call's timeline. */
  get toMs(): number {
    return (this.#fromBucket + this.#frames / this.#bucketFrames) * BUCKET_MS;
  }

  /** Takes the next samples: caller and assistant interleaved. */
  add(interleaved: Int16Array): void {
    const frames = interleaved.length >> 1;
    this.#makeRoom(this.#frames + frames);
    const [user, assistant] = this.#lanes;
    for (let i = 0; i < frames; i++) {
      const bucket = this.#fromBucket + Math.floor((this.#frames + i) / this.#bucketFrames);
      const left = Math.abs(interleaved[2 * i] as number);
      const right = Math.abs(interleaved[2 * i + 1] as number);
      if (left > (user[bucket] as number)) user[bucket] = left;
      if (right > (assistant[bucket] as number)) assistant[bucket] = right;
    }
    this.#frames += frames;
  }

  /** Peak level between two times, 0 to 1. */
  loudest(voice: 'user' | 'assistant', fromMs: number, toMs: number): number {
    const lane = this.#lanes[voice === 'user' ? 0 : 1];
    const from = Math.max(0, Math.floor(fromMs / BUCKET_MS));
    const to = Math.min(lane.length, Math.max(from + 1, Math.ceil(toMs / BUCKET_MS)));
    let most = 0;
    for (let bucket = from; bucket < to; bucket++) most = Math.max(most, lane[bucket] as number);
    return most / FULL_SCALE;
  }

  #makeRoom(frames: number): void {
    const needed = this.#fromBucket + Math.ceil(frames / this.#bucketFrames) + 1;
    const [user] = this.#lanes;
    if (needed <= user.length) return;
    const size = Math.max(needed, 2 * user.length);
    const [left, right] = this.#lanes.map((lane) => {
      const larger = new Uint16Array(size);
      larger.set(lane);
      return larger;
    }) as [Uint16Array<ArrayBuffer>, Uint16Array<ArrayBuffer>];
    this.#lanes = [left, right];
  }
}
