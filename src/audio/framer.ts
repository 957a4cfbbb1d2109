/** Cuts audio that comes in any sizes into frames of one size. */
export interface Framer {
  /** Calls `onFrame` for every frame that `pcm` completes, before it returns. */
  write(pcm: Int16Array): void;
  /** Completes a started frame with silence. */
  flush(): void;
  /** Forgets a started frame. */
  reset(): void;
}

/**
 * `onFrame` gets the same array each time: copy what is to be kept. Nothing is allocated per frame.
 */
export function createFramer(frameSamples: number, onFrame: (frame: Int16Array) => void): Framer {
  if (!Number.isInteger(frameSamples) || frameSamples < 1) {
    throw new RangeError(`a frame needs a positive whole number of samples, got ${frameSamples}`);
  }
  const frame = new Int16Array(frameSamples);
  let filled = 0;

  return {
    write(pcm) {
      // A plain loop: `set(subarray())` would allocate a view per frame.
      for (let i = 0; i < pcm.length; i++) {
        frame[filled++] = pcm[i] as number;
        if (filled === frameSamples) {
          filled = 0;
          onFrame(frame);
        }
      }
    },
    flush() {
      if (filled === 0) return;
      frame.fill(0, filled);
      filled = 0;
      onFrame(frame);
    },
    reset() {
      filled = 0;
    },
  };
}
