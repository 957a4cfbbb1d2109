import { createResampler } from '../../src/audio/resampler.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { createOfflineTts } from '../../src/providers/offline/tts/adapter.ts';

const SILENCE_MS = 300;

/** The text as a telephone carries it: 8 kHz, with a little silence around it. */
export async function spoken(...texts: readonly string[]): Promise<readonly Int16Array[]> {
  const tts = createOfflineTts({ clock: systemClock });
  await tts.start();
  try {
    const spoken: Int16Array[] = [];
    for (const text of texts) spoken.push(await speak(tts, text));
    return spoken;
  } finally {
    await tts.close();
  }
}

async function speak(tts: ReturnType<typeof createOfflineTts>, text: string): Promise<Int16Array> {
  const silence = new Int16Array(SILENCE_MS * 8);
  const pieces: Int16Array[] = [silence];
  const { signal } = new AbortController();
  for await (const part of tts.synthesize({ text, sampleRateHz: 8000, signal })) {
    if (part.type !== 'audio') continue;
    const resampler = createResampler(part.sampleRateHz, 8000);
    pieces.push(resampler.process(part.pcm).slice(), resampler.flush().slice());
    resampler.close();
  }
  pieces.push(silence);
  return Int16Array.from(pieces.flatMap((piece) => [...piece]));
}
