import type { StampedCommand } from '../../../src/engine/machine/commands.ts';
import type { StampedEvent } from '../../../src/engine/machine/events.ts';
import type { CallSettings } from '../../../src/engine/settings/settings.ts';

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

export interface EngineKind {
  readonly name: string;
  /** How its settings differ from the script's. */
  readonly settings?: (settings: CallSettings) => CallSettings;
  readonly create: (settings: CallSettings) => Engine;
  /** Its commands hold what a journal needs. */
  readonly replayable?: boolean;
}
