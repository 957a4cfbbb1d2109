import type { Vad } from '../../src/ports/vad.ts';
import { loadNetwork } from '../../src/providers/vad/load-network.ts';
import { NEURAL_START_MS } from '../../src/providers/vad/neural-vad.ts';
import { MEMORY_FLOATS } from '../../src/providers/vad/speech-network.ts';
import { WindowStream } from '../../src/providers/vad/window-stream.ts';

/** The service's voice activity without its thread: judges at once. `asked` counts the windows judged. */
export function createNetworkVad(
  startMs = NEURAL_START_MS,
): Vad & { readonly asked: () => number } {
  const network = loadNetwork(8000);
  let asked = 0;
  return {
    sampleRateHz: 8000,
    startMs,
    asked: () => asked,
    open(onFrame) {
      const memory = new Float32Array(MEMORY_FLOATS);
      return new WindowStream({
        submit: (samples, done) => {
          asked++;
          done(network.judge([{ samples, memory }])[0]);
        },
        onFrame,
        onClose: () => undefined,
      });
    },
  };
}
