import type { CallCommand } from '../../engine/machine/commands.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import type { CallSettings } from '../../engine/settings/settings.ts';
import { briefingEvent, farewellSettings } from '../../engine/transfer/briefing.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { LegSink, MediaLeg } from '../../ports/media.ts';
import type { DialledOperator, OperatorEvents } from '../../ports/operator-line.ts';
import type { OperatorBriefing } from './operator-briefing.ts';

interface Deps {
  readonly legId: number;
  readonly clock: Clock;
  readonly emit: (event: CallEvent) => void;
  /** Settings of the caller's call. */
  readonly settings: CallSettings;
  readonly createTalk: (
    leg: MediaLeg,
    settings: CallSettings,
    onCommand: (command: CallCommand) => void,
  ) => OperatorBriefing;
  readonly onOver: () => void;
}

/** What of the operator reaches the caller, once they are joined. */
export interface BridgedCaller {
  hear(pcm: Int16Array): void;
  press(digit: string): void;
}

/** A lost line may come back for so long. */
const LOST_MS = 5000;
const FAREWELL_MS = 8000;

/** The operator's side of one transfer, from the first ringing to the end of their line. */
export class OperatorLeg implements LegSink, OperatorEvents {
  readonly #deps: Deps;
  #dialled: DialledOperator | undefined;
  #leg: MediaLeg | undefined;
  #talk: OperatorBriefing | undefined;
  #caller: BridgedCaller | undefined;
  #lostTimer: Timer | undefined;
  #farewellTimer: Timer | undefined;
  #leaving = false;
  #over = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get leg(): MediaLeg | undefined {
    return this.#leg;
  }

  dial(place: (events: OperatorEvents) => DialledOperator): void {
    this.#dialled = place(this);
  }

  ringing(): void {
    this.#tell('operator.ringing');
  }

  answered(leg: MediaLeg): LegSink {
    this.#leg = leg;
    this.#tell('operator.answered');
    return this;
  }

  failed(reason: 'busy' | 'no-answer' | 'line-error', code: string): void {
    if (this.#over) return;
    this.#deps.emit({ type: 'operator.failed', legId: this.#deps.legId, reason, code });
    this.#end();
  }

  handedOver(): void {
    this.#tell('operator.accepted');
    this.#end();
  }

  /** X4: a second mind tells them what the call is about, and asks where it is to ask. */
  brief(settings: CallSettings): void {
    if (!this.#leg || this.#over) return;
    this.#talk = this.#deps.createTalk(this.#leg, settings, (command) => {
      const event = briefingEvent(this.#deps.legId, settings, command);
      if (event) this.#deps.emit(event);
    });
  }

  /** X5: from now on they are heard by the caller alone. */
  bridge(caller: BridgedCaller): void {
    this.#talk?.close();
    this.#talk = undefined;
    this.#caller = caller;
  }

  press(digits: string): void {
    this.#leg?.sendDtmf?.(digits);
  }

  /** Lets them go, with a last word where there is one to be said. */
  hangUp(reason: string, say?: string): void {
    if (this.#over || this.#leaving) return;
    this.#leaving = true;
    this.#talk?.close();
    this.#talk = undefined;
    this.#caller = undefined;
    this.#dialled?.hangUp();
    const { clock, settings, createTalk } = this.#deps;
    if (!this.#leg || say === undefined || this.#lostTimer !== undefined) {
      this.#release(reason);
      return;
    }
    this.#farewellTimer = clock.setTimeout(() => this.#release(reason), FAREWELL_MS);
    this.#talk = createTalk(this.#leg, farewellSettings(settings, say), (command) => {
      if (command.type === 'finish') this.#release(reason);
    });
  }

  audio(pcm: Int16Array): void {
    if (this.#caller) this.#caller.hear(pcm);
    else this.#talk?.audio(pcm);
  }

  dtmf(digit: string): void {
    // Before they are joined, nothing is asked of operators that they could answer with a key.
    this.#caller?.press(digit);
  }

  mark(name: string): void {
    this.#talk?.mark(name);
  }

  cleared(playedMs: number): void {
    this.#talk?.cleared(playedMs);
  }

  hangup(): void {
    this.#tell('operator.hungUp');
    this.#release('operator-left');
  }

  lost(): void {
    if (this.#over) return;
    this.#talk?.lost();
    if (this.#leaving) this.#release('operator-left');
    else this.#lostTimer ??= this.#deps.clock.setTimeout(() => this.hangup(), LOST_MS);
  }

  resumed(): void {
    this.#deps.clock.clearTimeout(this.#lostTimer);
    this.#lostTimer = undefined;
    if (this.#leg) this.#talk?.resumed(this.#leg);
  }

  #tell(type: 'operator.ringing' | 'operator.answered' | 'operator.accepted' | 'operator.hungUp') {
    if (!this.#over && !this.#leaving) this.#deps.emit({ type, legId: this.#deps.legId });
  }

  #release(reason: string): void {
    if (this.#over) return;
    this.#end();
    this.#leg?.end(reason);
  }

  #end(): void {
    this.#over = true;
    const { clock, onOver } = this.#deps;
    clock.clearTimeout(this.#lostTimer);
    clock.clearTimeout(this.#farewellTimer);
    this.#talk?.close();
    this.#talk = undefined;
    this.#caller = undefined;
    onOver();
  }
}
