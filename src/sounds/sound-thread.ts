import type { SoundLoop } from '../audio/sound-loop.ts';
import { abortError } from '../lib/abort.ts';
import { startThread } from '../lib/start-thread.ts';
import type { SoundRequest, SoundResult } from './sound-worker.ts';

/** Makes a loop on a worker thread, so that it does not block live calls. Rejects if the sound cannot be used. */
export function makeLoop(request: SoundRequest, signal: AbortSignal): Promise<SoundLoop> {
  if (signal.aborted) return Promise.reject(abortError(signal));
  const worker = startThread(new URL('./sound-worker.ts', import.meta.url), {
    workerData: request,
    limits: { maxOldGenerationSizeMb: 256 },
    // Keep the Opus decoder's messages about damaged packets out of the log; the fault returned says enough.
    quiet: true,
  });
  return new Promise<SoundLoop>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(abortError(signal)), { once: true });
    worker.once('message', (result: SoundResult) => {
      if ('loop' in result) resolve(result.loop);
      else reject(new Error(result.fault));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread ended without a sound')));
  }).finally(() => worker.terminate());
}
