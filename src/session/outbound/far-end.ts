import type { Volume } from '../../audio/volume.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MediaLeg } from '../../ports/media.ts';
import type { BackgroundMixer } from './background-mixer.ts';
import { type PlayPosition, SentTimeline } from './sent-timeline.ts';

/** Gets the assistant's channel of the recording. */
export interface PlayoutTap {
  /** `atMs` is the clock instant at which the first sample is heard. */
  write(pcm: Int16Array, atMs: number): void;
  /** What was to be heard from `fromMs` on never was. */
  erase(fromMs: number): void;
}

interface Sound {
  readonly tap?: PlayoutTap;
  readonly volume?: Volume;
  readonly bed?: BackgroundMixer;
}

interface ClearInFlight {
  readonly timeline: SentTimeline;
  /** What the far end counts beside it: audio sent, and played, since the clear before. */
  readonly beforeMs: number;
  readonly at: number;
  readonly answered: (playedMs: number | undefined) => void;
}

/** A position counted this far off our own clock is not believed. */
const MAX_DISAGREEMENT_MS = 500;
const MAX_CLEARS_IN_FLIGHT = 8;
/** Carriers take whole frames. */
const FRAME_MS = 20;

/** The leg's buffer as seen from here: what is in it, what of it was played, what a clear left unheard. */
export class FarEnd {
  readonly #clock: Clock;
  readonly #tap: PlayoutTap | undefined;
  readonly #volume: Volume | undefined;
  readonly #bed: BackgroundMixer | undefined;
  /** Wait for the far end's answer to a clear. */
  readonly #clearedMs: number;
  readonly #clears: ClearInFlight[] = [];
  #leg: MediaLeg | undefined;
  #timeline = new SentTimeline();
  #beforeMs = 0;

  constructor(clock: Clock, { tap, volume, bed }: Sound, clearedMs: number) {
    this.#bed = bed;
    this.#volume = volume;
    this.#clock = clock;
    this.#tap = tap;
    this.#clearedMs = clearedMs;
  }

  get leg(): MediaLeg | undefined {
    return this.#leg;
  }

  get isEmpty(): boolean {
    return this.#timeline.isEmpty;
  }

  /** When all speech sent so far will have been played. */
  get speechEndAt(): number {
    return this.#timeline.speechEndAt;
  }

  /** How far what was sent is ahead of real time. */
  leadMs(now: number): number {
    return this.#timeline.leadMs(now);
  }

  positionAt(now: number): PlayPosition | undefined {
    return this.#timeline.positionAt(now);
  }

  attach(leg: MediaLeg): void {
    this.#leg = leg;
    this.#beforeMs = 0;
  }

  detach(): void {
    this.#leg = undefined;
    for (const clear of this.#clears.splice(0)) clear.answered(undefined);
  }

  send(leg: MediaLeg, uttId: number, fromMs: number, pcm: Int16Array, now: number): void {
    const durationMs = (pcm.length * 1000) / leg.sampleRateHz;
    const playAt = this.#timeline.push(uttId, fromMs, durationMs, now);
    const sent = this.#volume?.apply(pcm) ?? pcm;
    this.#tap?.write(sent, playAt);
    this.#bed?.mixUnder(sent);
    leg.send(sent);
  }

  /** Sends the bed alone, so that the far end has at least nearly this much. */
  fillPause(leadMs: number, now: number): void {
    const frames = Math.floor((leadMs - this.leadMs(now)) / FRAME_MS);
    if (frames > 0) this.#fill(frames * FRAME_MS, now);
  }

  /** Speech ends within a frame: its rest is the bed's, as a carrier would have it silent. */
  fillFrame(now: number): void {
    const begunMs = this.#timeline.streamMs % FRAME_MS;
    if (begunMs > 0.01 && begunMs < FRAME_MS - 0.01) this.#fill(FRAME_MS - begunMs, now);
  }

  #fill(durationMs: number, now: number): void {
    if (!this.#leg || !this.#bed?.isOn) return;
    this.#timeline.pushFiller(durationMs, now);
    this.#leg.send(this.#bed.read(Math.round((durationMs * this.#leg.sampleRateHz) / 1000)));
  }

  /** Forgets what was sent and not yet played: the buffer itself is gone. */
  forget(now: number): void {
    if (this.#timeline.isEmpty) return;
    this.#tap?.erase(now);
    this.#bed?.rewind(this.#timeline.leadMs(now));
    this.#beforeMs += this.#timeline.streamMs;
    this.#timeline = new SentTimeline();
  }

  /**
   * Has the buffer dropped. `answered` is called once, with the position up to which the far end says it has
   * played, or nothing when it does not say or says what can't be.
   */
  clear(now: number, answered: (position: PlayPosition | undefined) => void): void {
    const timeline = this.#timeline;
    const beforeMs = this.#beforeMs;
    if (timeline.speechEndAt <= now && timeline.endAt > now) {
      // No speech is left there: what fills the pause need not stop.
      timeline.forgetSpeech();
      answered(undefined);
      return;
    }
    this.forget(now);
    if (!this.#leg || timeline.endAt <= now) {
      answered(undefined);
      return;
    }
    let open = true;
    const finish = (playedMs: number | undefined) => {
      if (!open) return;
      open = false;
      this.#clock.clearTimeout(timer);
      answered(playedMs === undefined ? undefined : timeline.positionInStream(playedMs));
    };
    // An answer that comes after this still finds its place in the order.
    const timer = this.#clock.setTimeout(() => finish(undefined), this.#clearedMs);
    this.#clears.push({ timeline, beforeMs, at: now, answered: finish });
    this.#beforeMs = 0;
    if (this.#clears.length > MAX_CLEARS_IN_FLIGHT) this.#clears.shift();
    this.#leg.clear();
  }

  /** The far end's answer: it had played `playedMs` of what was sent since the clear before. */
  cleared(playedMs: number): void {
    const clear = this.#clears.shift();
    if (!clear) return;
    const ownMs = playedMs - clear.beforeMs;
    const expected = clear.timeline.playedStreamMs(clear.at);
    const plausible =
      ownMs <= clear.timeline.streamMs + 1 && Math.abs(ownMs - expected) < MAX_DISAGREEMENT_MS;
    clear.answered(plausible ? ownMs : undefined);
  }
}
