import { expect } from 'vitest';
import type { EmulatedCall } from '../../src/carriers/emulator/emulated-carrier.ts';
import { eventually } from './eventually.ts';
import { tone, toneMs } from './tones.ts';

/** How much sound of any kind somebody has got to hear. */
export function loudMs(call: EmulatedCall): number {
  return call.handset.tracks.speaker.read().filter((sample) => Math.abs(sample) > 200).length / 8;
}

/** How long somebody has heard a tone. */
export const ears = (call: EmulatedCall) => (hz: number) =>
  toneMs(call.handset.tracks.speaker.read(), hz, 8000);

interface Mouth {
  say(pcm: Int16Array): { readonly spoken: Promise<void> };
}

/** Speaks until the other has heard it for long enough: a line on a busy machine drops what comes too late. */
export async function speaks(
  mouth: Mouth,
  hz: number,
  heardMs: (hz: number) => number,
  rateHz = 8000,
): Promise<void> {
  const before = heardMs(hz);
  await eventually(
    async () => {
      await mouth.say(tone(hz, 700, rateHz)).spoken;
      expect(heardMs(hz) - before).toBeGreaterThan(1200);
    },
    { everyMs: 1 },
  );
}
