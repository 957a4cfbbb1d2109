import type { CallCommand } from '../../engine/machine/commands.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MediaLeg } from '../../ports/media.ts';
import type { OperatorLine } from '../../ports/operator-line.ts';
import type { OperatorCommand } from '../command-owners.ts';
import type { Ticker } from '../ticker.ts';
import { BridgeLane } from './bridge-lane.ts';
import type { OperatorBriefing } from './operator-briefing.ts';
import { OperatorLeg } from './operator-leg.ts';

interface Deps {
  readonly callId: string;
  readonly clock: Clock;
  readonly ticker: Ticker;
  readonly line: OperatorLine | undefined;
  /** Stores the command to dial; false if that is not possible now. */
  readonly durable: () => Promise<boolean>;
  readonly caller: MediaLeg;
  readonly settings: ConstructorParameters<typeof OperatorLeg>[0]['settings'];
  readonly emit: (event: CallEvent) => void;
  readonly createBriefing: (
    leg: MediaLeg,
    settings: Deps['settings'],
    onCommand: (command: CallCommand) => void,
    onFailure: () => void,
  ) => OperatorBriefing;
  /** Caller and operator are bridged: the assistant stops listening. `record`: the recording goes on. */
  readonly onBridged: (record: boolean) => void;
  /** Gets the operator's audio as it is sent to the caller. */
  readonly tap: (pcm: Int16Array, atMs: number) => void;
}

/** Carries out the `leg.*` commands of a transfer: dial, brief, bridge, send keys, hang up. */
export class TransferController {
  readonly #deps: Deps;
  readonly #operators = new Map<number, OperatorLeg>();
  /** The legs of this process; others are those of one that had the call before. */
  readonly #own = new Set<number>();
  /** The operator who talks with the caller, or will when their sound is here again. */
  #connected: OperatorLeg | undefined;
  #lanes: { readonly toOperator: BridgeLane; readonly toCaller: BridgeLane } | undefined;
  #pressed: ((digit: string) => void) | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get isBridged(): boolean {
    return this.#lanes !== undefined;
  }

  carryOut(command: OperatorCommand): void {
    switch (command.type) {
      case 'leg.dial':
        this.#dial(command);
        return;
      case 'leg.brief':
        this.#operators.get(command.legId)?.brief(command.settings);
        return;
      case 'leg.bridge':
        this.#bridge(command.legId, command.record);
        return;
      case 'leg.dtmf':
        if (command.legId === undefined) this.#deps.caller.sendDtmf?.(command.digits);
        else this.#operators.get(command.legId)?.press(command.digits);
        return;
      case 'leg.resume':
        this.#resume(command);
        return;
      case 'leg.hangup':
        this.#unbridge();
        this.#hangUp(command);
        return;
      default:
        command satisfies never;
    }
  }

  /** The caller's audio; dropped unless bridged. */
  write(pcm: Int16Array): void {
    this.#lanes?.toOperator.write(pcm);
  }

  /** A key of the caller; dropped unless bridged. */
  pressed(digit: string): void {
    this.#pressed?.(digit);
  }

  /** Hangs up on all operators and resolves when every leg has ended, its last sentence included. */
  async close(): Promise<void> {
    this.#unbridge();
    for (const operator of this.#operators.values()) operator.hangUp('caller-left');
    if (this.#operators.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  /**
   * The end of the call in this process, which another goes on with: the operator who talks with the caller stays on the
   * line for that one, and a transfer that is under way ends. Resolves when every leg has ended here.
   */
  async leave(): Promise<void> {
    this.#connected?.leave();
    await this.close();
  }

  #dial({ legId, to, mode, timeoutMs, keepLegs }: Extract<CallCommand, { type: 'leg.dial' }>) {
    const { callId, line } = this.#deps;
    const operator = this.#open(legId);
    if (!line) {
      operator.failed('line-error', 'no-line');
      return;
    }
    const mayHandOver = mode === 'blind' && !keepLegs;
    void this.#deps.durable().then((isDurable) => {
      // Hung up again meanwhile.
      if (this.#operators.get(legId) !== operator) return;
      if (isDurable)
        operator.dial((events) =>
          line.dial({ callId, legId, to, ringMs: timeoutMs, mayHandOver }, events),
        );
      else operator.failed('line-error', 'not-recorded');
    });
  }

  /** R6: nobody but the operator talks with the caller, also while the leg is not back. */
  #resume({ legId, record }: Extract<CallCommand, { type: 'leg.resume' }>): void {
    const { callId, line, onBridged } = this.#deps;
    onBridged(record);
    const operator = this.#open(legId);
    this.#connected = operator;
    if (line) operator.dial((events) => line.resume({ callId, legId }, events));
    else operator.failed('line-error', 'no-line');
  }

  #open(legId: number): OperatorLeg {
    const { clock, emit, settings, createBriefing } = this.#deps;
    const operator: OperatorLeg = new OperatorLeg({
      legId,
      clock,
      emit,
      settings,
      createBriefing: (leg, own, onCommand) =>
        createBriefing(leg, own, onCommand, () => operator.hangup()),
      onOver: () => this.#forget(legId),
    });
    this.#operators.set(legId, operator);
    this.#own.add(legId);
    return operator;
  }

  #hangUp({ legId, reason, say }: Extract<CallCommand, { type: 'leg.hangup' }>): void {
    const { callId, line } = this.#deps;
    if (this.#own.has(legId)) this.#operators.get(legId)?.hangUp(reason, say);
    else line?.release({ callId, legId });
  }

  #bridge(legId: number, record: boolean): void {
    const operator = this.#operators.get(legId);
    const leg = operator?.leg;
    if (!operator || !leg) return;
    this.#connected = operator;
    const { clock, ticker, caller, tap } = this.#deps;
    this.#deps.onBridged(record);
    const toCaller = new BridgeLane({
      clock,
      ticker,
      fromHz: leg.sampleRateHz,
      to: caller,
      tap,
    });
    const toOperator = new BridgeLane({ clock, ticker, fromHz: caller.sampleRateHz, to: leg });
    this.#lanes = { toCaller, toOperator };
    this.#pressed = (digit) => press(leg, toOperator, digit);
    operator.bridge({
      write: (pcm) => toCaller.write(pcm),
      press: (digit) => press(caller, toCaller, digit),
    });
  }

  #unbridge(): void {
    this.#lanes?.toCaller.close();
    this.#lanes?.toOperator.close();
    this.#lanes = undefined;
    this.#pressed = undefined;
  }

  #forget(legId: number): void {
    this.#operators.delete(legId);
    if (this.#operators.size === 0) this.#onEmpty?.();
  }
}

function press(leg: MediaLeg, lane: BridgeLane, digit: string): void {
  if (leg.keysAreSound) lane.press(digit);
  else leg.sendDtmf?.(digit);
}
