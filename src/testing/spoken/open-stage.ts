import type { OfflineStt } from '../../providers/offline/stt/adapter.ts';
import type { OfflineTts } from '../../providers/offline/tts/adapter.ts';
import { Booth } from './booth.ts';
import { CallerVoice } from './caller-voice.ts';
import type { SpokenStage } from './run-spoken-test.ts';
import { SpokenTexts } from './steady-parts.ts';

/** Opens ears and voices of their own for the spoken tests of a run, so that live calls keep theirs. */
export interface SpokenParts extends Pick<SpokenStage, 'createVad'> {
  readonly createStt: () => OfflineStt;
  readonly createTts: () => OfflineTts;
}

/** The stage of one run. Disposing of it ends its threads. */
export function openStage(
  { createStt, createTts, createVad }: SpokenParts,
  { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
): SpokenStage & AsyncDisposable {
  const stt = createStt();
  const tts = createTts();
  return {
    ...{ stt, createVad },
    booth: new Booth(new CallerVoice(tts), seed),
    texts: new SpokenTexts(tts, signal),
    async [Symbol.asyncDispose]() {
      await Promise.all([stt.close(), tts.close()]);
    },
  };
}
