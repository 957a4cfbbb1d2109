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
 * The array that `onFrame` gets is used again: copy what is to be kept. Nothing is allocated per frame.
 */
export function createFramer(frameSamples: number, onFrame: (frame: Int16Array) => void): Framer {
  if (!Number.isInteger(frameSamples) || frameSamples < 1) {
    throw new RangeError(`a frame needs a positive whole number of samples, got ${frameSamples}`);
  }
  const frame = new Int16Array(frameSamples);
  let filled = 0;

  return {
    write(pcm) {
      // The usual case: a frame comes as one, and is handed on as it is.
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
