import type { DialledBehaviour } from './emulated-carrier.ts';
import { type EmulatorOptions, startTwilioEmulator, type TwilioEmulator } from './twilio-side.ts';

const RING_MS = 1000;

/** The last digits of a dialled number choose its behaviour, so that every outcome can be tried. */
export function behaviourOf(number: string): DialledBehaviour {
  if (number.endsWith('01')) return { outcome: 'busy', ringMs: RING_MS };
  if (number.endsWith('02')) return { outcome: 'no-answer', ringMs: 2 * RING_MS };
  if (number.endsWith('03')) return { outcome: 'failed', ringMs: RING_MS };
  return number.endsWith('04') ? { outcome: 'refuse' } : { outcome: 'answer', ringMs: RING_MS };
}

/**
 * Starts the built-in carrier, to which any number belongs. A dialled number rings the telephone plugged in there, else
 * it answers and listens.
 */
export async function startBuiltInCarrier(
  options: Required<Omit<EmulatorOptions, 'port' | 'credentials'>> & EmulatorOptions,
): Promise<TwilioEmulator<'emulator'>> {
  const carrier = await startTwilioEmulator('emulator', options);
  carrier.behaviour = ({ to }) => behaviourOf(to);
  return carrier;
}
