import { createEnergyJudge } from '../../src/audio/energy-judge.ts';
import type { Vad } from '../../src/ports/vad.ts';

/** Voice activity by energy alone: at once and next to free, but any sound above the noise is voice to it. */
export function createEnergyVad(sampleRateHz = 8000): Vad {
  return {
    sampleRateHz,
    open(onFrame) {
      const { judge } = createEnergyJudge(sampleRateHz);
      let index = 0;
      let closed = false;
      return {
        write(frame) {
          if (!closed) onFrame(judge(frame), index++);
        },
        close() {
          closed = true;
        },
      };
    },
  };
}
