import { rmsDb } from '../../src/audio/level.ts';
import { gainFromDb } from '../../src/audio/mix.ts';
import { noiseAt } from '../../src/audio/room-noise.ts';
import { echoRoom, loopRoom, type Room } from '../../src/testing/spoken/rooms.ts';
import type { HeardWords } from './heard-words.ts';
import { type NoiseKind, noise } from './noises.ts';
import { RATE_HZ } from './sound-call.ts';
import { recorded, type Utterance } from './utterance.ts';

/** Noise of the line or the room from the first frame to the last. */
export function noisyRoom(kind: NoiseKind, levelDb: number, seed: number): Room {
  return loopRoom(
    noiseAt(noise(kind, { samples: 8 * RATE_HZ, sampleRateHz: RATE_HZ, seed }), levelDb),
  );
}

/** Somebody who reads aloud without end, so far below what the caller says. */
export function televisionRoom(underDb: number, caller: Utterance): Room {
  const read = ['cold-hearted', 'ill-disposed', 'amiable-himself'].flatMap((name) => {
    const { pcm, speechFromMs, speechToMs } = recorded(`reading-${name}.wav`, RATE_HZ);
    return [pcm.subarray((speechFromMs * RATE_HZ) / 1000, (speechToMs * RATE_HZ) / 1000)];
  });
  const loop = new Int16Array(read.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const pcm of read) {
    loop.set(pcm, at);
    at += pcm.length;
  }
  const { pcm, speechFromMs, speechToMs } = caller;
  const spoken = pcm.subarray((speechFromMs * RATE_HZ) / 1000, (speechToMs * RATE_HZ) / 1000);
  const gain = gainFromDb(rmsDb(spoken) - rmsDb(loop) - underDb);
  return loopRoom(loop, gain);
}

/** The loudspeaker as the microphone hears it; `words` is told what of it has come back. */
export function echoingRoom(levelDb: number, delayMs: number, words?: HeardWords): Room {
  return echoRoom(levelDb, Math.round((delayMs * RATE_HZ) / 1000), (played, fromSample) =>
    words?.hear(played, fromSample),
  );
}
