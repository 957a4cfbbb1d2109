import type { AdaptivePlayout } from '../../src/web-client/adaptive-playout.ts';

export type SpeechPart = { readonly soundMs: number } | { readonly pauseMs: number };

export interface Line {
  /** One way. */
  readonly delayMs: number;
  readonly jitterMs: number;
  readonly lossShare: number;
  readonly seed: number;
}

/** A message of the socket that comes now: sound, and whether speech ends with it. */
export interface Arrival {
  readonly atMs: number;
  readonly samples: Float32Array;
  readonly ends: boolean;
}

const LEAD_MS = 180;
const REFILL_MS = 80;
const TICK_MS = 20;
/** Between two replies. */
const SILENCE_MS = 1500;
const LEAST_RTO_MS = 200;
const BLOCK = 128;

/** Words as a tone, pauses as nearly nothing. */
export function speech(parts: readonly SpeechPart[], rateHz: number): Float32Array {
  const pieces = parts.map((part) => {
    const [ms, level] = 'soundMs' in part ? [part.soundMs, 0.5] : [part.pauseMs, 0.0005];
    return Float32Array.from(
      { length: (ms * rateHz) / 1000 },
      (_, i) => level * Math.sin((2 * Math.PI * 180 * i) / rateHz),
    );
  });
  return joined(pieces);
}

/**
 * Replies as the service sends them, a little ahead of real time, over TCP: each segment may be lost and is sent
 * again after three others, or after the timer; nothing overtakes anything.
 */
export function tcpArrivals(
  reply: Float32Array,
  line: Line,
  { repeats }: { readonly repeats: number },
): Arrival[] {
  const random = seeded(line.seed);
  const arrivals: Arrival[] = [];
  const samplesPerMs = 8;
  const rttMs = 2 * line.delayMs + line.jitterMs;
  let inOrderAt = 0;
  let startMs = 0;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const segments: { sentAt: number; samples: Float32Array; ends: boolean }[] = [];
    let sentMs = 0;
    for (let now = 0; sentMs < reply.length / samplesPerMs; now += TICK_MS) {
      if (sentMs - now > REFILL_MS) continue;
      const endMs = Math.min(now + LEAD_MS, reply.length / samplesPerMs);
      const samples = reply.slice(sentMs * samplesPerMs, endMs * samplesPerMs);
      segments.push({
        sentAt: startMs + now,
        samples,
        ends: endMs * samplesPerMs >= reply.length,
      });
      sentMs = endMs;
    }
    for (const [i, { sentAt, samples, ends }] of segments.entries()) {
      const travel = (): number => line.delayMs + random() * line.jitterMs;
      let atMs = sentAt + travel();
      let backoff = Math.max(LEAST_RTO_MS, rttMs + 4 * line.jitterMs);
      let lost = random() < line.lossShare;
      const third = segments[i + 3];
      if (lost && third && third.sentAt + rttMs < sentAt + backoff) {
        atMs = third.sentAt + rttMs + travel();
        lost = random() < line.lossShare;
      }
      for (let resentAt = sentAt; lost; backoff *= 2) {
        resentAt += backoff;
        atMs = resentAt + travel();
        lost = random() < line.lossShare;
      }
      inOrderAt = Math.max(inOrderAt, atMs);
      arrivals.push({ atMs: inOrderAt, samples, ends });
    }
    startMs += sentMs + SILENCE_MS;
  }
  return arrivals;
}

/** Plays what comes, when it comes; what was heard, and what had been sent. */
export function playOver(playout: AdaptivePlayout, arrivals: readonly Arrival[], rateHz: number) {
  const endMs = (arrivals.at(-1)?.atMs ?? 0) + 1500;
  const heard = new Float32Array(Math.ceil((endMs * rateHz) / 1000 / BLOCK) * BLOCK);
  let next = 0;
  for (let at = 0; at < heard.length; at += BLOCK) {
    for (let arrival = arrivals[next]; arrival; arrival = arrivals[++next]) {
      if (arrival.atMs > (at * 1000) / rateHz) break;
      playout.push(arrival.samples);
      playout.mark(`m${next}`, arrival.ends);
    }
    playout.pull(heard.subarray(at, at + BLOCK), () => undefined);
  }
  return { heard, sent: joined(arrivals.map(({ samples }) => samples)) };
}

function joined(pieces: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Numbers from 0 to 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
