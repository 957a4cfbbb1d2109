import type { Volume } from '../../audio/volume.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MediaLeg } from '../../ports/media.ts';
import type { BackgroundMixer } from './background-mixer.ts';
import { type PlayPosition, SentTimeline } from './sent-timeline.ts';

/** Receives the assistant's audio as the caller hears it. */
export interface PlayoutTap {
  /** `atMs` is the clock instant at which the first sample is heard. */
  write(pcm: Int16Array, atMs: number): void;
  /** Audio written for the time from `fromMs` on was never heard. */
  erase(fromMs: number): void;
}

interface Sound {
  readonly tap?: PlayoutTap;
  readonly volume?: Volume;
  readonly mixer?: BackgroundMixer;
}

interface ClearInFlight {
  readonly timeline: SentTimeline;
  /** Audio sent since the previous clear that is no longer in `timeline`: the far end counts it too. */
  readonly beforeMs: number;
  readonly at: number;
  readonly answered: (playedMs: number | undefined) => void;
}

/** Deadline of the far end's answer to a clear. */
const CLEARED_MS = 150;
/** A reported position that differs from the clock's by more is ignored. */
const MAX_DISAGREEMENT_MS = 500;
const MAX_CLEARS_IN_FLIGHT = 8;
/** Carriers take only whole frames. */
const FRAME_MS = 20;

/** Models the far end's playback buffer: its content, its playback position, and what a clear dropped unheard. */
export class FarEnd {
  readonly #clock: Clock;
  readonly #tap: PlayoutTap | undefined;
  readonly #volume: Volume | undefined;
  readonly #mixer: BackgroundMixer | undefined;
  readonly #clears: ClearInFlight[] = [];
  #leg: MediaLeg | undefined;
  #timeline = new SentTimeline();
  #beforeMs = 0;

  constructor(clock: Clock, { tap, volume, mixer }: Sound) {
    this.#mixer = mixer;
    this.#volume = volume;
    this.#clock = clock;
    this.#tap = tap;
  }

  get leg(): MediaLeg | undefined {
    return this.#leg;
  }

  get isEmpty(): boolean {
    return this.#timeline.isEmpty;
  }

  /** Clock instant at which all speech sent so far will have been played. */
  get speechEndAt(): number {
    return this.#timeline.speechEndAt;
  }

  /** How far the sent audio is ahead of real time. */
  leadMs(now: number): number {
    return this.#timeline.leadMs(now);
  }

  positionAt(now: number): PlayPosition | undefined {
    return this.#timeline.positionAt(now);
  }

  attach(leg: MediaLeg): void {
    this.#leg = leg;
    this.#beforeMs = 0;
    const { earlierSound } = leg;
    if (!earlierSound) return;
    const now = this.#clock.now();
    const leftMs = Math.max(0, earlierSound.untilMs - now);
    this.#beforeMs = earlierSound.durationMs - leftMs;
    if (leftMs > 0) this.#timeline.pushEarlier(leftMs, now);
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
    this.#mixer?.mixUnder(sent);
    leg.send(sent);
  }

  /** Sends background sound in whole frames until the lead is nearly `leadMs`. */
  fillPause(leadMs: number, now: number): void {
    const frames = Math.floor((leadMs - this.leadMs(now)) / FRAME_MS);
    if (frames > 0) this.#fill(frames * FRAME_MS, now);
  }

  /** Fills the last frame of speech with background sound; a carrier would fill it with silence. */
  fillFrame(now: number): void {
    const begunMs = this.#timeline.streamMs % FRAME_MS;
    if (begunMs > 0.01 && begunMs < FRAME_MS - 0.01) this.#fill(FRAME_MS - begunMs, now);
  }

  #fill(durationMs: number, now: number): void {
    if (!this.#leg || !this.#mixer?.isOn) return;
    this.#timeline.pushFiller(durationMs, now);
    this.#leg.send(this.#mixer.read(Math.round((durationMs * this.#leg.sampleRateHz) / 1000)));
  }

  /** Forgets audio that was sent and not played: the far end's buffer is gone. */
  forget(now: number): void {
    if (this.#timeline.isEmpty) return;
    this.#tap?.erase(now);
    this.#mixer?.rewind(this.#timeline.leadMs(now));
    this.#beforeMs += this.#timeline.streamMs;
    this.#timeline = new SentTimeline();
  }

  /**
   * Tells the far end to drop its buffer. `answered` is called once: with the position that the far end reports, or
   * with nothing if it reports none in time or an impossible one.
   */
  clear(now: number, answered: (position: PlayPosition | undefined) => void): void {
    const timeline = this.#timeline;
    const beforeMs = this.#beforeMs;
    if (timeline.speechEndAt <= now && timeline.endAt > now) {
      // Only background sound is left there, which need not stop.
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
    // The clear stays in the list: a late answer must still be matched to it, not to the next one.
    const timer = this.#clock.setTimeout(() => finish(undefined), CLEARED_MS);
    this.#clears.push({ timeline, beforeMs, at: now, answered: finish });
    this.#beforeMs = 0;
    if (this.#clears.length > MAX_CLEARS_IN_FLIGHT) this.#clears.shift();
    this.#leg.clear();
  }

  /** The far end's answer: it had played `playedMs` of the audio sent since the previous clear. */
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
