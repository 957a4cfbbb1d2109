import type { Volume } from '../../audio/volume.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MediaLeg } from '../../ports/media.ts';
import { TICK_MS, type Ticker } from '../ticker.ts';
import type { BackgroundMixer } from './background-mixer.ts';
import { FarEnd, type PlayoutTap } from './far-end.ts';
import { MARK_EVERY_MS, MarkTracker } from './mark-tracker.ts';
import { LEAD_MS, PAUSE_LEAD_MS, REFILL_MS, WORD_END_MS } from './playout-limits.ts';
import { PlayoutPause } from './playout-pause.ts';
import { PlayoutProgress } from './playout-progress.ts';
import type { PlayPosition } from './sent-timeline.ts';
import type { UtteranceBuffer } from './utterance-buffer.ts';
import { UtteranceQueue } from './utterance-queue.ts';

interface Deps {
  readonly clock: Clock;
  readonly ticker: Ticker;
  readonly emit: (event: CallEvent) => void;
  readonly tap?: PlayoutTap;
  readonly volume?: Volume;
  readonly mixer?: BackgroundMixer;
}

type Mode = 'playing' | 'holding' | 'held';

/**
 * Paces utterances to the caller's leg and tracks how much the caller has heard: by marks if the far end answers
 * them, else by the clock. Utterances play in the order in which they were started, without gaps.
 */
export class Playout {
  readonly #clock: Clock;
  readonly #ticker: Ticker;
  readonly #emit: (event: CallEvent) => void;
  readonly #farEnd: FarEnd;
  readonly #mixer: BackgroundMixer | undefined;
  readonly #marks = new MarkTracker();
  readonly #queue = new UtteranceQueue();
  readonly #progress: PlayoutProgress;
  #unsubscribe: (() => void) | undefined;
  #mode: Mode = 'playing';
  #holdAt = 0;
  #pause: PlayoutPause | undefined;

  constructor(deps: Deps) {
    this.#clock = deps.clock;
    this.#ticker = deps.ticker;
    this.#emit = deps.emit;
    this.#progress = new PlayoutProgress(this.#queue, deps.emit);
    this.#mixer = deps.mixer;
    this.#farEnd = new FarEnd(deps.clock, deps);
  }

  /** The leg was connected, or connected again: the far end's buffer is empty. */
  attach(leg: MediaLeg): void {
    this.#farEnd.attach(leg);
    this.#wake();
  }

  /** The leg broke: audio that the far end had not played is lost, and is sent again if the leg returns. */
  detach(): void {
    const now = this.#clock.now();
    this.#rewindTo(this.#heard(now), now);
    this.#farEnd.detach();
    this.#sleep();
  }

  start(utterance: UtteranceBuffer): void {
    this.#queue.push(utterance);
    this.#wake();
  }

  hold(): void {
    if (this.#mode !== 'playing') return;
    const now = this.#clock.now();
    const heard = this.#heard(now);
    this.#mode = 'holding';
    const wordMs = (heard && this.#queue.find(heard.uttId)?.word(heard.playedMs)?.leftMs) ?? 0;
    this.#holdAt = now + (wordMs <= WORD_END_MS ? wordMs : 0);
    if (this.#holdAt <= now) this.#holdNow(now);
  }

  release(): void {
    if (this.#mode === 'playing') return;
    if (this.#mode === 'held') this.#queue.backToWordStart();
    this.#mode = 'playing';
    this.#wake();
  }

  /**
   * Sends nothing beyond the word that is being sent, or the utterance if its words have no times; until `unpause`. To a
   * far end that plays on while the call moves, the words that it can play meanwhile are sent, too.
   */
  pause(): void {
    this.#pause = new PlayoutPause(this.#queue, this.#marks, this.#farEnd, this.#clock.now());
    this.#wake();
  }

  unpause(): void {
    this.#pause = undefined;
    this.#wake();
  }

  /** True once the caller has heard all that is sent before the pause, or will, and the machine counts it as heard. */
  hasPaused(): boolean {
    const heard = this.#pause?.heard(this.#clock.now(), this.#progress.reportedMs) ?? 'not-all';
    if (heard === 'all-by-clock') this.#progress.reachedSent();
    return heard !== 'not-all' || this.#mode === 'held';
  }

  /** Another process goes on with the call: what the machine does not count as heard is not to be heard. */
  leave(): void {
    const { leg } = this.#farEnd;
    if (leg?.playsOn && this.hasPaused()) return;
    if (leg?.playsOn) leg.clear();
    this.#farEnd.forget(this.#clock.now());
  }

  /** Drops everything. If an utterance was playing, `play.cleared` tells how much of it was heard. */
  clear(): void {
    const now = this.#clock.now();
    const heard = this.#heard(now);
    const { current, cursorMs } = this.#queue;
    const wasStarted = this.#progress.hasStarted;
    const report = (uttId: number, playedMs: number) =>
      this.#emit({ type: 'play.cleared', uttId, playedMs: Math.round(playedMs) });
    this.#queue.clear();
    this.#progress.reset();
    this.#mode = 'playing';
    this.#marks.reset();
    if (heard) {
      this.#farEnd.clear(now, (exact) => {
        const position = exact ?? heard;
        report(position.uttId, position.playedMs);
      });
    } else {
      if (current && wasStarted) report(current.uttId, cursorMs);
      // Speech of an earlier process is still to be heard.
      if (this.#farEnd.speechEndAt > now) this.#farEnd.clear(now, () => {});
    }
    this.refresh();
  }

  /** The far end reports that playback reached this mark. */
  marked(name: string): void {
    const reached = this.#marks.reached(name);
    if (!reached) return;
    this.#progress.reached(reached.uttId, reached.playedMs, reached.end);
  }

  /** The far end dropped its buffer, having played `playedMs` of the audio sent since the last clear. */
  cleared(playedMs: number): void {
    this.#farEnd.cleared(playedMs);
  }

  close(): void {
    this.#queue.clear();
    this.#sleep();
    this.#farEnd.detach();
  }

  get #hasToSend(): boolean {
    return (this.#mode !== 'held' && !this.#queue.isEmpty) || this.#mixer?.isOn === true;
  }

  /** To be called when background sound was turned on or off. */
  refresh(): void {
    if (this.#hasToSend) this.#wake();
    else this.#sleep();
  }

  #wake(): void {
    if (!this.#farEnd.leg || !this.#hasToSend) return;
    this.#unsubscribe ??= this.#ticker.subscribe((now) => this.#tick(now));
    this.#tick(this.#clock.now());
  }

  #sleep(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** More audio arrived from the voice: if the far end is about to run dry, this sends it before the next tick. */
  nudge(): void {
    const now = this.#clock.now();
    if (this.#unsubscribe && this.#farEnd.speechEndAt - now < TICK_MS) this.#tick(now);
  }

  #tick(now: number): void {
    if (this.#mode === 'holding') {
      if (now >= this.#holdAt) this.#holdNow(now);
      return;
    }
    const { leg } = this.#farEnd;
    if (!leg) return;
    if (this.#mode !== 'held') {
      this.#send(leg, now);
      this.#followClock(now);
    }
    this.#farEnd.fillPause(PAUSE_LEAD_MS, now);
    if (!this.#hasToSend) this.#sleep();
  }

  #send(leg: MediaLeg, now: number): void {
    const leadMs = this.#pause?.leadMs ?? LEAD_MS;
    while (this.#farEnd.leadMs(now) <= leadMs - (LEAD_MS - REFILL_MS)) {
      const utterance = this.#queue.current;
      if (!utterance) return;
      const roomMs = leadMs - this.#farEnd.leadMs(now);
      const room = Math.floor((roomMs * leg.sampleRateHz) / 1000);
      const left = this.#pause?.left ?? room;
      if (left === 0) return;
      const pcm = utterance.readFrames(this.#queue.cursor, Math.min(room, left));
      if (pcm.length > 0) this.#sendChunk(leg, utterance, pcm, now);
      else if (!utterance.ended) return;
      if (this.#queue.cursor < utterance.samples) continue;
      if (!utterance.ended) return;
      if (utterance.samples > 0) {
        this.#farEnd.fillFrame(now);
        leg.mark(this.#marks.add(utterance.uttId, utterance.durationMs, true), true);
      }
      this.#queue.next();
    }
  }

  #sendChunk(leg: MediaLeg, utterance: UtteranceBuffer, pcm: Int16Array, now: number): void {
    const fromMs = this.#queue.cursorMs;
    const durationMs = (pcm.length * 1000) / utterance.sampleRateHz;
    this.#farEnd.send(leg, utterance.uttId, fromMs, pcm, now);
    this.#queue.advance(pcm.length);
    if (this.#marks.due(utterance.uttId, fromMs + durationMs)) {
      leg.mark(this.#marks.add(utterance.uttId, fromMs + durationMs, false), false);
    }
    if (!this.#progress.hasStarted) this.#progress.begin(utterance.uttId);
    this.#pause?.mark(leg);
  }

  // Estimates playback by the clock while no mark was answered, and always ends an utterance without any audio.
  #followClock(now: number): void {
    const { head } = this.#queue;
    if (!head) return;
    if (head.ended && head.samples === 0 && this.#queue.headIsSent) {
      this.#progress.finishHead(head.uttId);
      return;
    }
    if (this.#marks.answered || this.#farEnd.isEmpty) return;
    // The clock waits five ticks, so that a far end that answers marks is first.
    const position = this.#heard(now - 5 * TICK_MS);
    if (!position) return;
    for (let first = this.#queue.head; first; first = this.#queue.head) {
      if (first.uttId === position.uttId || !this.#queue.headIsSent) break;
      this.#progress.reached(first.uttId, first.durationMs, true);
    }
    const done =
      head.ended && this.#queue.headIsSent && now - 5 * TICK_MS >= this.#farEnd.speechEndAt;
    if (done && this.#queue.head === head)
      this.#progress.reached(head.uttId, head.durationMs, true);
    else if (position.playedMs - this.#progress.reportedMs >= MARK_EVERY_MS) {
      this.#progress.reached(position.uttId, position.playedMs, false);
    }
  }

  #heard(now: number): PlayPosition | undefined {
    const byClock = this.#farEnd.positionAt(now);
    return this.#queue.find(byClock?.uttId) && byClock;
  }

  #holdNow(now: number): void {
    const heard = this.#heard(now);
    this.#mode = 'held';
    if (heard && this.#farEnd.speechEndAt > now) {
      this.#farEnd.clear(now, (exact) => {
        // The far end knows the position better than the clock.
        if (this.#mode === 'held' && exact?.uttId === heard.uttId) {
          this.#queue.seek(exact.uttId, exact.playedMs);
        }
      });
      this.#rewindTo(heard, now);
    }
    this.refresh();
    const uttId = heard?.uttId ?? this.#queue.head?.uttId;
    if (uttId === undefined) return;
    this.#emit({ type: 'play.held', uttId, playedMs: Math.round(heard?.playedMs ?? 0) });
  }

  #rewindTo(position: PlayPosition | undefined, now: number): void {
    this.#farEnd.forget(now);
    this.#marks.reset();
    if (position) this.#queue.seek(position.uttId, position.playedMs);
  }
}
