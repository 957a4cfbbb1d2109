import type { Clock } from '../../src/ports/clock.ts';
import type { ToneWord } from './tone-words.ts';
import type { UpgradeRefusal } from './vendor-socket-emulator.ts';

/** Understands what a connection hears; time is what was received. */
export interface Ears {
  readonly words: readonly ToneWord[];
  readonly receivedMs: number;
  readonly speaking: boolean;
  push(pcm: Int16Array, onBlock?: () => void): void;
  flush(): void;
}

/** What the recognisers' emulators can be told to do, besides what their vendors do. */
export interface HearingScript {
  readonly apiKey?: string;
  /** Who hears on a connection of this address; absent, {@link ToneListener}. */
  readonly ears?: (url: URL, sampleRateHz: number) => Ears;
  /** How often an interim text is given. @defaultValue 500 */
  readonly interimMs?: number;
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
