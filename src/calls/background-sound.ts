import type { AssistantConfig } from '../contract/assistant.ts';
import { Problem } from '../contract/errors.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { NumberRecord } from '../store/numbers.ts';

/** Throws Problem if an assistant has a custom background sound, but a carrier of its numbers cannot play it. */
export function refuseUnplayableSound(
  carriers: Carriers,
  { backgroundSound }: Pick<AssistantConfig, 'backgroundSound'>,
  numbers: readonly Pick<NumberRecord, 'number' | 'provider'>[],
): void {
  if (!backgroundSound.startsWith('https://')) return;
  const mute = numbers.find(
    ({ provider }) => carriers.find(provider)?.capabilities.customBackgroundSound === false,
  );
  if (!mute) return;
  throw new Problem({
    kind: 'conflict',
    message: `backgroundSound: ${mute.provider}, the vendor of ${mute.number}, cannot play a custom sound`,
  });
}
