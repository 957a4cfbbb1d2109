import type { StampedCommand } from '../../../src/engine/machine/commands.ts';
import type { StampedEvent } from '../../../src/engine/machine/events.ts';
import type { CallSettings } from '../../../src/engine/settings/settings.ts';
import type { Judge } from './judge.ts';
import type { Ears } from './room.ts';

/** A mind of calls that can be measured: events in, commands out, timers of its own on virtual time. */
export interface Engine {
  dispatch(event: StampedEvent): readonly StampedCommand[];
  advanceTo(at: number): readonly StampedCommand[];
  nextDueAt(): number | undefined;
  /** Nothing is under way: the caller may speak. */
  readonly resting: boolean;
  readonly finished: boolean;
  stop(): void;
}

/** What models of a peer's own hear, beside the events that all engines get. */
export interface Senses {
  /** Whether the sound over the reply is an interruption; of what is none, a share is taken for one. */
  readonly meansToInterrupt: (falseShare: number) => boolean;
}

export interface EngineKind {
  readonly name: string;
  /** How its settings differ from the script's. */
  readonly settings?: (settings: CallSettings) => CallSettings;
  readonly create: (settings: CallSettings, senses: Senses) => Engine;
  /** Its commands hold what a journal needs. */
  readonly replayable?: boolean;
  /** d' of the model that it asks about pauses. @defaultValue that of smart-turn */
  readonly separation?: number;
  /** Its model, where it asks one for whom words are. */
  readonly judge?: Judge;
  /** @defaultValue any voice */
  readonly ears?: Ears;
}
