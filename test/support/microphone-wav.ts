import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downmix } from '../../src/audio/downmix.ts';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { bytesFromPcm16 } from '../../src/audio/pcm16.ts';
import { wavHeader } from '../../src/audio/wav-header.ts';

const RATE_HZ = 16_000;
const AUDIO = join(import.meta.dirname, '../../fixtures/audio');

/** Writes a WAV file of recordings (file names) and silences (ms), to serve as a browser's microphone. */
export async function writeMicrophoneWav(
  path: string,
  parts: readonly (string | number)[],
): Promise<void> {
  const pieces = await Promise.all(
    parts.map(async (part) => {
      if (typeof part === 'number') return new Int16Array((part * RATE_HZ) / 1000);
      const wav = parseWav(await readFile(join(AUDIO, part)));
      if (wav.sampleRateHz !== RATE_HZ) throw new Error(`${part} is not at ${RATE_HZ} Hz`);
      return downmix(wav.channels);
    }),
  );
  const pcm = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    pcm.set(piece, offset);
    offset += piece.length;
  }
  const audio = bytesFromPcm16(pcm);
  const header = wavHeader({ sampleRateHz: RATE_HZ, channels: 1, dataBytes: audio.byteLength });
  await writeFile(path, Buffer.concat([header, audio]));
}
