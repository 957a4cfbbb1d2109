import { systemClock } from '../lib/system-clock.ts';
import { createOfflineStt } from '../providers/offline/stt/adapter.ts';
import { createOfflineTts } from '../providers/offline/tts/adapter.ts';
import { createSteadyVad } from '../providers/vad/steady-vad.ts';
import { speakCalls } from '../testing/spoken/stage-thread.ts';

speakCalls({
  createStt: () => createOfflineStt({ maxThreads: 1, ownDecoders: true }),
  createTts: () => createOfflineTts({ clock: systemClock }),
  createVad: createSteadyVad,
});
