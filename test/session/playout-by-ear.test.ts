import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import { Playout } from '../../src/session/outbound/playout.ts';
import { UtteranceBuffer } from '../../src/session/outbound/utterance-buffer.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryLeg } from '../support/memory-leg.ts';
import fc from '../support/properties.ts';

const RATE = 16_000;
const PER_MS = RATE / 1000;
const BEGIN = 1000;
/** The sound of an utterance tells where in which utterance it is, to the millisecond. */
const CODE = 2000;

/** A far end that notes which part of which utterance the caller hears when. */
class Ear extends MemoryLeg {
  /** By clock millisecond. */
  readonly heard = new Map<number, { readonly uttId: number; readonly ms: number }>();
  /** How much was left at least when more of the same utterance came. */
  lowestLeadMs = Number.POSITIVE_INFINITY;
  readonly #now: () => number;

  constructor(clock: ManualClock, answers: boolean) {
    super({ clock, answers });
    this.#now = () => clock.now();
  }

  override send(pcm: Int16Array): void {
    const from = this.#now() + this.soundingMs;
    const goesOn =
      this.heard.get(Math.round(from) - 1)?.uttId === Math.floor((pcm[0] as number) / CODE);
    if (this.soundingMs > 0 && goesOn)
      this.lowestLeadMs = Math.min(this.lowestLeadMs, this.soundingMs);
    for (let i = 0; i < pcm.length; i += PER_MS) {
      const code = pcm[i] as number;
      this.heard.set(Math.round(from + i / PER_MS), {
        uttId: Math.floor(code / CODE),
        ms: code % CODE,
      });
    }
    super.send(pcm);
  }

  override clear(): void {
    for (const at of this.heard.keys()) if (at >= this.#now()) this.heard.delete(at);
    super.clear();
  }

  /** How much of an utterance was heard by then, and last. */
  playedMs(uttId: number, at: number): number {
    for (let t = at - 1; t >= BEGIN; t--) {
      const heard = this.heard.get(t);
      if (heard?.uttId === uttId) return heard.ms + 1;
    }
    return 0;
  }

  /** The stretches that were heard, in order: of which utterance, and from where to where. */
  get stretches(): { uttId: number; fromMs: number; toMs: number; at: number; endAt: number }[] {
    const found: { uttId: number; fromMs: number; toMs: number; at: number; endAt: number }[] = [];
    for (const at of [...this.heard.keys()].sort((a, b) => a - b)) {
      const { uttId, ms } = this.heard.get(at) as { uttId: number; ms: number };
      const last = found.at(-1);
      if (last && last.uttId === uttId && last.toMs === ms && last.endAt === at) {
        last.toMs++;
        last.endAt++;
      } else found.push({ uttId, fromMs: ms, toMs: ms + 1, at, endAt: at + 1 });
    }
    return found;
  }
}

function utterance(uttId: number, ms: number, wordMs: number): UtteranceBuffer {
  const buffer = new UtteranceBuffer(uttId, RATE);
  const sound = (from: number, to: number) =>
    Int16Array.from(
      { length: (to - from) * PER_MS },
      (_, i) => uttId * CODE + from + Math.floor(i / PER_MS),
    );
  // As voices give it: in pieces of any length.
  for (let from = 0; from < ms; from += 130) buffer.push(sound(from, Math.min(ms, from + 130)));
  for (let at = 0; wordMs > 0 && at < ms; at += wordMs)
    buffer.words.push({ word: 'word', startMs: at, endMs: Math.min(ms, at + wordMs) });
  buffer.ended = true;
  return buffer;
}

const act = fc.record({
  afterMs: fc.integer({ min: 1, max: 700 }),
  what: fc.constantFrom('start', 'start', 'hold', 'release', 'hold', 'release', 'clear'),
  ms: fc.integer({ min: 1, max: 90 }).map((tens) => tens * 20),
  wordMs: fc.constantFrom(0, 180, 300, 700),
});

/** Plays a script; returns what the far end heard, and every event with its instant. */
async function play(
  answers: boolean,
  acts: readonly { afterMs: number; what: string; ms: number; wordMs: number }[],
) {
  const clock = new ManualClock(BEGIN);
  const ticker = new Ticker(clock);
  const ear = new Ear(clock, answers);
  const events: { readonly at: number; readonly event: CallEvent; readonly truth: number }[] = [];
  const utterances = new Map<number, UtteranceBuffer>();
  const playout = new Playout({
    clock,
    ticker,
    emit: (event) => {
      const truth = 'uttId' in event ? ear.playedMs(event.uttId, clock.now()) : 0;
      events.push({ at: clock.now(), event, truth });
    },
  });
  ear.onMark = (name) => playout.marked(name);
  ear.onCleared = (playedMs) => playout.cleared(playedMs);
  playout.attach(ear);
  const dropped = new Set<number>();
  for (const { afterMs, what, ms, wordMs } of acts) {
    if (what === 'start' && utterances.size < 15) {
      const next = utterance(utterances.size + 1, ms, wordMs);
      utterances.set(next.uttId, next);
      playout.start(next);
    } else if (what === 'hold') playout.hold();
    else if (what === 'release') playout.release();
    else if (what === 'clear') {
      playout.clear();
      for (const uttId of utterances.keys()) dropped.add(uttId);
    }
    await clock.advance(afterMs);
  }
  playout.release();
  await clock.advance(30_000);
  expect(ticker.size).toBe(0);
  return { ear, events, utterances, dropped };
}

test.each([true, false])(
  '[H1] whatever is started, held, released and cleared: what is told is what was heard; answers: %s',
  async (answers) => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 12 }), async (acts) => {
        const { ear, events, utterances, dropped } = await play(answers, acts);
        const finished = events.filter(({ event }) => event.type === 'play.finished');
        for (const { at, event, truth } of events) {
          if (event.type === 'play.cleared' || event.type === 'play.held') {
            // A clear while held tells the held place, which is what was heard.
            expect(Math.abs(event.playedMs - truth)).toBeLessThanOrEqual(2);
          } else if (event.type === 'play.mark') {
            // A word or so behind the ear at most, and never ahead of it.
            expect(event.playedMs).toBeLessThanOrEqual(truth + 1);
            expect(event.playedMs).toBeGreaterThan(truth - 130);
          } else if (event.type === 'play.finished') {
            const { durationMs } = utterances.get(event.uttId) as UtteranceBuffer;
            expect(truth).toBe(durationMs);
            const heardAt =
              ear.stretches.findLast(({ uttId }) => uttId === event.uttId)?.endAt ?? 0;
            expect(at - heardAt).toBeGreaterThanOrEqual(0);
            // Without answers it is told by the clock, which stands still while a reply is held.
            const wasHeld = !answers && acts.some(({ what }) => what === 'hold');
            if (!wasHeld) expect(at - heardAt).toBeLessThanOrEqual(answers ? 1 : 260);
          }
        }
        // All of it is heard, in order, but for what a clear drops.
        const kept = [...utterances.keys()].filter((uttId) => !dropped.has(uttId));
        const ends = finished.flatMap(({ event }) => ('uttId' in event ? [event.uttId] : []));
        expect(ends.filter((uttId) => !dropped.has(uttId))).toEqual(kept);
        // Nothing is left out; only the word that a hold cut is said again.
        const seen = new Map<number, number>();
        for (const { uttId, fromMs, toMs } of ear.stretches) {
          const before = seen.get(uttId) ?? 0;
          expect(fromMs).toBeLessThanOrEqual(before + 1);
          if (fromMs < before - 1) {
            const { words } = utterances.get(uttId) as UtteranceBuffer;
            expect(before - fromMs).toBeLessThanOrEqual(601);
            expect(words.some(({ startMs }) => Math.abs(startMs - fromMs) <= 1)).toBe(true);
          }
          seen.set(uttId, toMs);
        }
        expect(ear.maxLeadMs).toBeLessThanOrEqual(200);
        expect(ear.lowestLeadMs).toBeGreaterThanOrEqual(60);
      }),
      { numRuns: 150 },
    );
  },
);
