/** A part of a recording, in sample frames; the end is exclusive and may lie beyond it. */
export interface FramePart {
  readonly from: number;
  readonly to: number;
}

const TONE_HZ = 1000;
/** Of full scale: as loud as quiet speech. */
const TONE_LEVEL = 0.06;

/**
 * Replaces parts of interleaved samples by a tone or by silence, on all channels. `at`: place of the first frame in the
 * recording, so that a tone goes on from one chunk to the next. The parts are in order.
 */
export function muteParts(
  pcm: Int16Array,
  parts: readonly FramePart[],
  {
    at,
    channels,
    sampleRateHz,
    by,
  }: {
    readonly at: number;
    readonly channels: number;
    readonly sampleRateHz: number;
    readonly by: 'tone' | 'silence';
  },
): void {
  const frames = Math.floor(pcm.length / channels);
  for (const part of parts) {
    const from = Math.max(part.from, at) - at;
    const to = Math.min(part.to, at + frames) - at;
    for (let frame = from; frame < to; frame++) {
      const sample =
        by === 'tone'
          ? Math.round(
              0x7fff * TONE_LEVEL * Math.sin((2 * Math.PI * TONE_HZ * (at + frame)) / sampleRateHz),
            )
          : 0;
      pcm.fill(sample, frame * channels, (frame + 1) * channels);
    }
  }
}
