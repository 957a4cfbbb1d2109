import { parentPort, workerData } from 'node:worker_threads';
import { downmix } from '../audio/downmix.ts';
import { holdMusic } from '../audio/hold-music.ts';
import { createResampler } from '../audio/resampler.ts';
import { roomAmbience } from '../audio/room-ambience.ts';
import { loopOf, resampleLoop, type SoundLoop } from '../audio/sound-loop.ts';
import { decodeSound } from './decode-sound.ts';

/** Source and sample rate of the loop to make. */
export interface SoundRequest {
  readonly source: 'ambience' | 'hold-music' | { readonly file: Uint8Array };
  readonly sampleRateHz: number;
}

/** The worker's only message. */
export type SoundResult = { readonly loop: SoundLoop } | { readonly fault: string };

const MAX_S = 120;

async function createLoop({ source, sampleRateHz }: SoundRequest): Promise<SoundLoop> {
  if (source === 'ambience') return resampleLoop(roomAmbience(), sampleRateHz);
  if (source === 'hold-music') return resampleLoop(holdMusic(), sampleRateHz);
  const wav = await decodeSound(source.file, MAX_S);
  const mono = downmix(wav.channels).subarray(0, MAX_S * wav.sampleRateHz);
  const resampler = createResampler(wav.sampleRateHz, sampleRateHz);
  const loop = loopOf(resampler.process(mono), sampleRateHz);
  if (!loop) throw new Error('the sound is silent, or shorter than a quarter of a second');
  return loop;
}

async function runRequest(request: SoundRequest): Promise<SoundResult> {
  try {
    return { loop: await createLoop(request) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.postMessage(await runRequest(workerData as SoundRequest));
