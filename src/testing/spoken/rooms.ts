import { gainFromDb, mixInto } from '../../audio/mix.ts';
import { createNoise } from '../../audio/seeded-noise.ts';
import type { Track } from '../../audio/track.ts';

/** What a microphone picks up besides the caller; `speaker` is what the loudspeaker plays. */
export type Room = (frame: Int16Array, fromSample: number, speaker: Track) => void;

/** A sound that never ends, such as noise or a television. */
export function loopRoom(loop: Int16Array, gain = 1): Room {
  return (frame, fromSample) => {
    const at = fromSample % (loop.length - frame.length);
    mixInto(frame, loop.subarray(at, at + frame.length), gain);
  };
}

/** The loudspeaker as the microphone hears it; `onHeard` is told what of it has come back. */
export function echoRoom(
  levelDb: number,
  delaySamples: number,
  onHeard?: (played: Int16Array, fromSample: number) => void,
): Room {
  return (frame, fromSample, speaker) => {
    if (fromSample < delaySamples) return;
    const from = fromSample - delaySamples;
    const played = speaker.read(from, from + frame.length);
    mixInto(frame, played, gainFromDb(levelDb));
    onHeard?.(played, fromSample);
  };
}

/** How often a burst of lost packets goes on with the next one. */
const BURST = 0.5;

/** A line that loses this share of its packets, in bursts: what was in them is silence. */
export function lossyRoom(share: number, seed: number): Room {
  const noise = createNoise(seed);
  const begins = (share * (1 - BURST)) / (1 - share);
  let isLost = false;
  return (frame) => {
    isLost = (noise() + 1) / 2 < (isLost ? BURST : begins);
    if (isLost) frame.fill(0);
  };
}

/** One after the other on the same frame. */
export const rooms =
  (...all: readonly Room[]): Room =>
  (frame, fromSample, speaker) => {
    for (const room of all) room(frame, fromSample, speaker);
  };
