/** Cuts audio that arrives in chunks of any size into frames of one size. */
export interface Framer {
  /** Calls `onFrame` synchronously for every frame that `pcm` completes. */
  write(pcm: Int16Array): void;
  /** Fills an incomplete frame with silence and emits it. */
  flush(): void;
  /** Drops an incomplete frame. */
  reset(): void;
}

/** `onFrame` must copy the array if it keeps it: the array is reused, and nothing is allocated per frame. */
export function createFramer(frameSamples: number, onFrame: (frame: Int16Array) => void): Framer {
  if (!Number.isInteger(frameSamples) || frameSamples < 1) {
    throw new RangeError(`a frame needs a positive whole number of samples, got ${frameSamples}`);
  }
  const frame = new Int16Array(frameSamples);
  let filled = 0;

  return {
    write(pcm) {
      // The usual case: a chunk is exactly one frame and is passed on without a copy.
      if (filled === 0 && pcm.length === frameSamples) {
        onFrame(pcm);
        return;
      }
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
