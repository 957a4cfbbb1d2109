import type { Askable } from '../../src/knowledge/askable.ts';
import { createOfflineStt } from '../../src/providers/offline/stt/adapter.ts';
import { ManualClock } from './manual-clock.ts';

const FRAME_SAMPLES = 160;

/** A recogniser whose time stands still, so that no deadline passes on a busy machine. */
export const createPatientStt = () =>
  createOfflineStt({ clock: new ManualClock(), maxThreads: 1, slotsPerThread: 1 });

/** What the built-in recogniser hears in one utterance of 8 kHz if it listens for these sentences and topics. */
export async function hear(
  stt: ReturnType<typeof createPatientStt>,
  pcm: Int16Array,
  { sentences, topics }: Askable,
): Promise<string> {
  const heard = Promise.withResolvers<string>();
  const stream = await stt.open({
    sampleRateHz: 8000,
    languages: ['en-US'],
    hints: [],
    phrases: sentences,
    topics,
    signal: new AbortController().signal,
    onEvent: (event) => {
      if (event.type === 'final') heard.resolve(event.text);
      else if (event.type === 'error') heard.reject(new Error(event.error.message));
    },
  });
  stream.speechStarted();
  for (let at = 0; at < pcm.length; at += FRAME_SAMPLES)
    stream.write(pcm.subarray(at, at + FRAME_SAMPLES));
  stream.speechEnded();
  return heard.promise.finally(() => stream.close());
}
