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
  #unsubscribe: (() => void) | undefined;
  #startedUtt: number | undefined;
  #reportedMs = 0;
  #mode: Mode = 'playing';
  #holdAt = 0;
  #pause: PlayoutPause | undefined;

  constructor(deps: Deps) {
    this.#clock = deps.clock;
    this.#ticker = deps.ticker;
    this.#emit = deps.emit;
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
    const wordMs = this.#queue.find(heard?.uttId)?.word(heard?.playedMs ?? 0)?.leftMs ?? 0;
    this.#holdAt = now + (wordMs <= WORD_END_MS ? wordMs : 0);
    if (this.#holdAt <= now) this.#holdNow(now);
  }

  release(): void {
    if (this.#mode === 'playing') return;
    if (this.#mode === 'held') this.#queue.backToWordStart();
    this.#mode = 'playing';
    this.#wake();
  }

  /** Sends nothing beyond the word that is being sent, or the utterance if its words have no times; until `unpause`. */
  pause(): void {
    this.#pause = new PlayoutPause(this.#queue, this.#marks, this.#farEnd);
  }

  unpause(): void {
    this.#pause = undefined;
    this.#wake();
  }

  /** True once the caller has heard all that is sent before the pause, and the machine knows it. */
  hasPaused(): boolean {
    const { head, cursorMs } = this.#queue;
    const heard = this.#pause?.heard(this.#clock.now(), this.#reportedMs) ?? 'not-all';
    if (heard === 'all-by-clock' && head) this.#progress(head.uttId, cursorMs, false);
    return heard !== 'not-all' || this.#mode === 'held';
  }

  /** Drops everything. If an utterance was playing, `play.cleared` tells how much of it was heard. */
  clear(): void {
    const now = this.#clock.now();
    const heard = this.#heard(now);
    const heldUtt = this.#mode === 'held' || heard === undefined ? this.#queue.current : undefined;
    const heldMs = this.#queue.cursorMs;
    const wasStarted = this.#startedUtt !== undefined;
    const report = (uttId: number, playedMs: number) =>
      this.#emit({ type: 'play.cleared', uttId, playedMs: Math.round(playedMs) });
    this.#queue.clear();
    this.#startedUtt = undefined;
    this.#mode = 'playing';
    this.#marks.reset();
    if (heard) {
      this.#farEnd.clear(now, (exact) => {
        const position = exact ?? heard;
        report(position.uttId, position.playedMs);
      });
    } else if (heldUtt && wasStarted) {
      report(heldUtt.uttId, heldMs);
    }
    this.refresh();
  }

  /** The far end reports that playback reached this mark. */
  marked(name: string): void {
    const reached = this.#marks.reached(name);
    if (!reached) return;
    this.#progress(reached.uttId, reached.playedMs, reached.end);
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
    while (this.#farEnd.leadMs(now) <= REFILL_MS) {
      const utterance = this.#queue.current;
      if (!utterance) return;
      const roomMs = LEAD_MS - this.#farEnd.leadMs(now);
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
    if (this.#startedUtt === undefined) this.#begin(utterance.uttId);
    this.#pause?.mark(leg);
  }

  #begin(uttId: number): void {
    this.#startedUtt = uttId;
    this.#reportedMs = 0;
    this.#emit({ type: 'play.started', uttId });
  }

  // Estimates playback by the clock while no mark was answered, and always ends an utterance without any audio.
  #followClock(now: number): void {
    const { head } = this.#queue;
    if (!head) return;
    if (head.ended && head.samples === 0 && this.#queue.headIsSent) {
      this.#finishHead(head.uttId);
      return;
    }
    if (this.#marks.answered || this.#farEnd.isEmpty) return;
    // The clock waits five ticks, so that a far end that answers marks is first.
    const position = this.#farEnd.positionAt(now - 5 * TICK_MS);
    if (!position) return;
    for (let first = this.#queue.head; first; first = this.#queue.head) {
      if (first.uttId === position.uttId || !this.#queue.headIsSent) break;
      this.#progress(first.uttId, first.durationMs, true);
    }
    const done =
      head.ended && this.#queue.headIsSent && now - 5 * TICK_MS >= this.#farEnd.speechEndAt;
    if (done && this.#queue.head === head) this.#progress(head.uttId, head.durationMs, true);
    else if (position.playedMs - this.#reportedMs >= MARK_EVERY_MS) {
      this.#progress(position.uttId, position.playedMs, false);
    }
  }

  #progress(uttId: number, playedMs: number, end: boolean): void {
    if (this.#queue.head?.uttId !== uttId) return;
    if (this.#startedUtt !== uttId) this.#begin(uttId);
    if (end) {
      this.#finishHead(uttId);
    } else {
      this.#reportedMs = playedMs;
      this.#emit({ type: 'play.mark', uttId, playedMs: Math.round(playedMs) });
    }
  }

  #finishHead(uttId: number): void {
    const nextSounds = this.#queue.finishHead();
    this.#startedUtt = undefined;
    this.#emit({ type: 'play.finished', uttId });
    if (nextSounds && this.#queue.head) this.#begin(this.#queue.head.uttId);
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
