import type { AssistantConfig } from '../contract/assistant.ts';
import { Problem } from '../contract/errors.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { NumberRecord } from '../store/numbers.ts';

/** Refuses a sound of one's own behind an assistant whose numbers are at a carrier that cannot play it. */
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
    message: `backgroundSound: ${mute.provider}, the vendor of ${mute.number}, cannot play a sound of one's own`,
  });
}
