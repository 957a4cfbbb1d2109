type Random = () => number;
type Frame = string | Uint8Array;

/** Mulberry32: the same frames for the same seed. */
export function random(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS = [
  'start',
  'media',
  'stop',
  'dtmf',
  'mark',
  'text',
  'call',
  'sms',
  'hangup',
  'played',
  'MEDIA_START',
  'DTMF_END',
  '__proto__',
  '',
];
const KEYS = [
  'type',
  'event',
  'media',
  'payload',
  'sampleRate',
  'mark',
  'streamSid',
  'stream_id',
  'channel_id',
  'to',
  'start',
  'digit',
];

const one = <T>(next: Random, among: readonly T[]) => among[Math.floor(next() * among.length)] as T;

function value(next: Random, depth = 0): unknown {
  const pick = Math.floor(next() * (depth > 3 ? 6 : 8));
  if (pick < 2) return one(next, WORDS);
  if (pick === 2) return next() * 2 ** 40 - 2 ** 39;
  if (pick === 3) return null;
  if (pick === 4) return next() < 0.5;
  if (pick === 5) return '\u0000\ud800é'.repeat(Math.floor(next() * 50));
  const inner = Array.from({ length: Math.floor(next() * 5) }, () => value(next, depth + 1));
  if (pick === 6) return inner;
  return Object.fromEntries(inner.map((each) => [one(next, KEYS), each]));
}

/** Anything, JSON mostly. */
export function anyFrame(next: Random): Frame {
  if (next() < 0.3) return Buffer.from(Array.from({ length: next() * 400 }, () => next() * 256));
  const text = JSON.stringify(
    next() < 0.7 ? { type: value(next), event: value(next), ...Object(value(next)) } : value(next),
  );
  return next() < 0.2 ? text.slice(0, next() * text.length) : text;
}

/** A frame that would be taken, with one thing in it wrong; or as it is. */
export function nearlyRight(next: Random, right: Frame): Frame {
  const pick = next();
  if (pick < 0.3) return right;
  if (typeof right !== 'string') return right.slice(0, next() * right.length);
  if (pick < 0.4) return right.slice(0, next() * right.length);
  if (pick < 0.5) return Buffer.from(right);
  if (pick < 0.6) {
    const at = Math.floor(next() * right.length);
    return `${right.slice(0, at)}${String.fromCharCode(next() * 128)}${right.slice(at + 1)}`;
  }
  try {
    const json = JSON.parse(right) as Record<string, unknown>;
    const inner = one(
      next,
      Object.values(json).filter((each) => typeof each === 'object'),
    );
    const holder = (inner && next() < 0.5 ? inner : json) as Record<string, unknown>;
    holder[one(next, Object.keys(holder)) ?? 'x'] = value(next);
    return JSON.stringify(json);
  } catch {
    // Not JSON: Asterisk's older words.
    return `${right} ${String(value(next))}`;
  }
}
