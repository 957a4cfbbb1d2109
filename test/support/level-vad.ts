import type { Vad } from '../../src/ports/vad.ts';

/** Judges by level alone and at once: any sound is voice. For scripted callers. */
export const levelVad: Vad = {
  sampleRateHz: 16_000,
  open(onFrame) {
    let index = 0;
    return {
      write: (frame) => onFrame((frame[0] ?? 0) !== 0 ? 1 : 0, index++),
      close: () => undefined,
    };
  },
};
