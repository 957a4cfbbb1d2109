import { mulaw } from '../../audio/g711.ts';
import { rmsDb } from '../../audio/level.ts';
import { gainFromDb } from '../../audio/mix.ts';
import { joinPcm16 } from '../../audio/pcm16.ts';
import { babbleOf, lineNoise, noiseAt, pinkNoise } from '../../audio/room-noise.ts';
import type { CallerVoice } from './caller-voice.ts';
import type { LineCondition } from './manners.ts';
import { echoRoom, loopRoom, lossyRoom, type Room, rooms } from './rooms.ts';

/** Level of a caller's words, dBFS. */
export const CALLER_DB = -23;
const LOOP_SECONDS = 8;
const ECHO_MS = 120;
const LINE_UNDER_DB = 30;

/** What people beside the caller say. */
const BESIDE = [
  'And then she told me that the train had left without them, so they walked all the way home.',
  'In the evening there will be rain in the north, and the wind turns to the west.',
  'He put the letters on the table, took his hat, and went out without another word.',
  'The market opens at seven, and by nine there is hardly anything left to buy.',
];
const VOICES = ['awb', 'slt', 'kal16', 'awb'];

/** What the microphone picks up in a condition besides the caller; undefined: nothing. */
export async function roomOf(
  { sampleRateHz, ...condition }: LineCondition,
  voice: CallerVoice,
  seed: number,
): Promise<Room | undefined> {
  const samples = LOOP_SECONDS * sampleRateHz;
  const { pinkUnderDb, babbleUnderDb, televisionUnderDb, echoDb, loss, isTelephone } = condition;
  const at = (noise: Float64Array, underDb: number) =>
    loopRoom(noiseAt(noise, CALLER_DB - underDb));
  const all: Room[] = [];
  if (pinkUnderDb !== undefined) all.push(at(pinkNoise(samples, seed), pinkUnderDb));
  if (babbleUnderDb !== undefined)
    all.push(at(babbleOf(await people(voice, sampleRateHz), samples, seed), babbleUnderDb));
  if (televisionUnderDb !== undefined) {
    const loop = joinPcm16(await people(voice, sampleRateHz));
    all.push(loopRoom(loop, gainFromDb(CALLER_DB - televisionUnderDb - rmsDb(loop))));
  }
  if (echoDb !== undefined) all.push(echoRoom(echoDb, (ECHO_MS * sampleRateHz) / 1000));
  if (isTelephone) {
    all.push(at(lineNoise(samples, seed, sampleRateHz), LINE_UNDER_DB));
    all.push((frame) => void mulaw.decode(mulaw.encode(frame), frame));
  }
  if (loss !== undefined) all.push(lossyRoom(loss, seed));
  return all.length === 0 ? undefined : rooms(...all);
}

async function people(voice: CallerVoice, sampleRateHz: number): Promise<readonly Int16Array[]> {
  const spoken: Int16Array[] = [];
  for (const [i, text] of BESIDE.entries())
    spoken.push((await voice.speak(text, sampleRateHz, { voice: VOICES[i] as string })).pcm);
  return spoken;
}
