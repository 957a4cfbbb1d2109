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
  readonly createBriefing: (
    leg: MediaLeg,
    settings: CallSettings,
    onCommand: (command: CallCommand) => void,
  ) => OperatorBriefing;
  readonly onOver: () => void;
}

/** Takes the operator's audio and keys to the caller, once the two are bridged. */
export interface BridgedCaller {
  write(pcm: Int16Array): void;
  press(digit: string): void;
}

/** How long a lost leg may take to come back. */
const LOST_MS = 5000;
const FAREWELL_MS = 8000;

/** The operator's leg of one transfer, from dialling to hanging up. */
export class OperatorLeg implements LegSink, OperatorEvents {
  readonly #deps: Deps;
  #dialled: DialledOperator | undefined;
  #leg: MediaLeg | undefined;
  #briefing: OperatorBriefing | undefined;
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

  /** X4: tells the operator what the call is about, and asks whether they take it if the settings want that. */
  brief(settings: CallSettings): void {
    if (!this.#leg || this.#over) return;
    this.#briefing = this.#deps.createBriefing(this.#leg, settings, (command) => {
      const event = briefingEvent(this.#deps.legId, settings, command);
      if (event) this.#deps.emit(event);
    });
  }

  /** X5: from now on only the caller hears the operator. */
  bridge(caller: BridgedCaller): void {
    this.#briefing?.close();
    this.#briefing = undefined;
    this.#caller = caller;
  }

  press(digits: string): void {
    this.#leg?.sendDtmf?.(digits);
  }

  /** Hangs up on the operator, after saying `say` if given. */
  hangUp(reason: string, say?: string): void {
    if (this.#over || this.#leaving) return;
    this.#leaving = true;
    this.#briefing?.close();
    this.#briefing = undefined;
    this.#caller = undefined;
    this.#dialled?.hangUp();
    const { clock, settings, createBriefing } = this.#deps;
    if (!this.#leg || say === undefined || this.#lostTimer !== undefined) {
      this.#release(reason);
      return;
    }
    this.#farewellTimer = clock.setTimeout(() => this.#release(reason), FAREWELL_MS);
    this.#briefing = createBriefing(this.#leg, farewellSettings(settings, say), (command) => {
      if (command.type === 'finish') this.#release(reason);
    });
  }

  /** Leaves the operator, who talks with the caller, to another process. */
  leave(): void {
    if (this.#over) return;
    this.#end();
    this.#dialled?.leave();
  }

  audio(pcm: Int16Array): void {
    if (this.#caller) this.#caller.write(pcm);
    else this.#briefing?.audio(pcm);
  }

  dtmf(digit: string): void {
    // Before the bridge, no question to the operator can be answered with a key.
    this.#caller?.press(digit);
  }

  mark(name: string): void {
    this.#briefing?.mark(name);
  }

  cleared(playedMs: number): void {
    this.#briefing?.cleared(playedMs);
  }

  hangup(): void {
    this.#tell('operator.hungUp');
    this.#release('operator-left');
  }

  lost(): void {
    if (this.#over) return;
    this.#briefing?.lost();
    if (this.#leaving) this.#release('operator-left');
    else this.#lostTimer ??= this.#deps.clock.setTimeout(() => this.hangup(), LOST_MS);
  }

  resumed(): void {
    this.#deps.clock.clearTimeout(this.#lostTimer);
    this.#lostTimer = undefined;
    if (this.#leg) this.#briefing?.resumed(this.#leg);
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
    this.#briefing?.close();
    this.#briefing = undefined;
    this.#caller = undefined;
    onOver();
  }
}
