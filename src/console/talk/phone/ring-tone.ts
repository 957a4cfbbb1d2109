const TONE_HZ = 425;
const LOUDNESS = 0.08;
const ON_SECONDS = 1;
const PERIOD_SECONDS = 4;
/** Limit on rings, beyond which nobody waits. */
const MOST_RINGS = 30;

/** Rings one second in four until the returned function is called. */
export function startRinging(): () => void {
  const context = new AudioContext();
  const gain = new GainNode(context, { gain: 0 });
  const tone = new OscillatorNode(context, { frequency: TONE_HZ });
  tone.connect(gain).connect(context.destination);
  tone.start();
  for (let ring = 0; ring < MOST_RINGS; ring++) {
    const at = context.currentTime + ring * PERIOD_SECONDS;
    gain.gain.setValueAtTime(LOUDNESS, at);
    gain.gain.setValueAtTime(0, at + ON_SECONDS);
  }
  return () => void context.close();
}
