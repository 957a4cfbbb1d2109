import { mulaw } from '../../src/audio/g711.ts';

const CHAR_MS = 60;
const LEVEL = 8000;

/** Deterministic speech: 60 ms a character, each word a tone of its own, spaces silent. */
export interface EmulatedSpeech {
  readonly chars: readonly string[];
  readonly charMs: number;
  /** PCM16 little-endian or µ-law, as asked. */
  readonly bytes: Uint8Array;
}

export function emulateSpeech(
  text: string,
  encoding: 'pcm16' | 'mulaw',
  sampleRateHz: number,
): EmulatedSpeech {
  const chars = [...text];
  const perChar = (CHAR_MS * sampleRateHz) / 1000;
  const pcm = new Int16Array(Math.round(chars.length * perChar));
  let word = 0;
  for (const [i, char] of chars.entries()) {
    if (char.trim() === '') {
      word++;
      continue;
    }
    const hz = 300 + 40 * (word % 10);
    for (let s = Math.round(i * perChar); s < Math.round((i + 1) * perChar); s++)
      pcm[s] = Math.round(LEVEL * Math.sin((2 * Math.PI * hz * s) / sampleRateHz));
  }
  const bytes = encoding === 'mulaw' ? mulaw.encode(pcm) : new Uint8Array(pcm.buffer);
  return { chars, charMs: CHAR_MS, bytes };
}

/** Pieces of odd sizes, the last one partial. */
export function oddPieces(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, size = 4001; at < bytes.length; at += size, size = ((size * 7) % 5003) | 1)
    pieces.push(bytes.subarray(at, at + size));
  return pieces;
}
