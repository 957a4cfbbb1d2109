import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { downmix } from '../audio/downmix.ts';
import { parseWav, WavError } from '../audio/parse-wav.ts';
import { createResampler } from '../audio/resampler.ts';
import { CliError } from './cli-error.ts';
import type { Recording } from './conversation.ts';

/** Reads a WAV file of any supported format as one channel at the call's sample rate. Throws {@link CliError}. */
export async function readRecording(path: string, sampleRateHz: number): Promise<Recording> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${path}: ${error.code === 'ENOENT' ? 'no such file' : error.message}`, 2);
  });
  try {
    const wav = parseWav(bytes);
    const resampler = createResampler(wav.sampleRateHz, sampleRateHz);
    const parts = [resampler.process(downmix(wav.channels)), resampler.flush()];
    resampler.close();
    const pcm = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
    let offset = 0;
    for (const part of parts) {
      pcm.set(part, offset);
      offset += part.length;
    }
    if (pcm.length === 0) throw new CliError(`${path}: holds no audio`, 2);
    return { name: basename(path), pcm };
  } catch (error) {
    if (error instanceof WavError || error instanceof RangeError) {
      throw new CliError(`${path}: ${error.message}`, 2);
    }
    throw error;
  }
}
