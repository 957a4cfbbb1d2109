import type { Clock } from '../../src/ports/clock.ts';
import type { UpgradeRefusal } from './vendor-socket-emulator.ts';

/** What the recognisers' emulators can be told to do, besides what their vendors do. */
export interface HearingScript {
  readonly apiKey?: string;
  /** Deadlines and speeds are measured by it. */
  readonly clock: Clock;
  readonly refuse?: UpgradeRefusal;
  /** Breaks the first connection once it has heard this many words. */
  readonly dropAfterWords?: number;
  /** Says every final text twice, and one of its interim texts again afterwards. */
  readonly repeats?: boolean;
  /** Puts frames that are not JSON between the others. */
  readonly garbage?: boolean;
  /** Connects, and says nothing ever after. */
  readonly mute?: boolean;
}
