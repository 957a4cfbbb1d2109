import type { ControlEvent } from '../contract/control.ts';
import { type EndReason, failedTransfer } from '../contract/failures.ts';
import { Call } from '../engine/machine/call.ts';
import type { StampedCommand } from '../engine/machine/commands.ts';
import type { RestoredCall } from '../engine/machine/replay.ts';
import { webhookUpdateOf } from '../engine/webhook-events.ts';
import type { ControlOutcome } from '../ports/call-control.ts';
import type { CallListener, Listening } from '../ports/call-monitor.ts';
import type { Microphone, TakenOver, TakeOverRefusal } from '../ports/call-take-over.ts';
import type { LegSink, MediaLeg, PlaybackStats } from '../ports/media.ts';
import { askControl } from './ask-control.ts';
import { CallRunner } from './call-runner.ts';
import { isForOperators, isForParts, isForSupervisor } from './command-owners.ts';
import { Conductor } from './conductor.ts';
import { FailureReports } from './failure-reports.ts';
import { type Leaving, momentToMove } from './hand-over.ts';
import { InboundAudio } from './inbound/inbound-audio.ts';
import { createSupervisorLink } from './operator/create-supervisor-link.ts';
import { createTransferController } from './operator/create-transfer-controller.ts';
import type { SupervisorLink } from './operator/supervisor-link.ts';
import type { TransferController } from './operator/transfer-controller.ts';
import { partHooks } from './part-hooks.ts';
import { attachConsent } from './record/attach-consent.ts';
import { closeRecord, endOf } from './record/close-record.ts';
import { CommandRecord } from './record/command-record.ts';
import { createdLine } from './record/created-line.ts';
import { JournalWriter } from './record/journal-writer.ts';
import {
  createParts,
  type SessionDeps,
  type SessionInit,
  type SessionParts,
} from './session-parts.ts';
import { tellOfTakeOver } from './take-over-events.ts';

/** Runs one live call: sends events to its machine and carries out the machine's commands. */
export class Session implements LegSink {
  readonly callId: string;
  readonly #deps: SessionDeps;
  readonly #leg: MediaLeg;
  readonly #startedAtMs: number;
  readonly #runner: CallRunner;
  readonly #journal: JournalWriter;
  readonly #parts: SessionParts;
  readonly #conductor: Conductor;
  readonly #record: CommandRecord;
  readonly #failures: FailureReports;
  readonly #operators: TransferController;
  readonly #supervisor: SupervisorLink;
  readonly #inbound: InboundAudio;
  readonly #finished = Promise.withResolvers<void>();
  #endReason: EndReason = 'ended';
  #closing = false;

  constructor(init: SessionInit, deps: SessionDeps, leg: MediaLeg) {
    const { callId, restored } = init;
    this.callId = callId;
    this.#deps = deps;
    this.#leg = leg;
    this.#startedAtMs = restored?.startedAtMs ?? deps.clock.now();
    this.#journal = new JournalWriter({
      callId,
      clock: deps.clock,
      store: deps.store,
      onRetry: (error, attempt) =>
        this.#warn('the store refused a batch of the record', error, { attempt }),
      onLost: deps.keepUnsaved,
      onTaken: () => this.taken(),
    });
    this.#runner = new CallRunner({
      clock: deps.timers ?? deps.clock,
      call: restored?.call ?? new Call({ settings: init.settings }),
      startedAtMs: this.#startedAtMs,
      ...(restored ? { goesOn: restored } : {}),
      append: (line, command) => {
        this.#journal.append(line, command && webhookUpdateOf(command));
        if (!deps.redaction) this.#parts.monitor.event(line);
        leg.follow?.(line);
      },
      run: (command) => this.#run(command),
      onCrash: (error) => this.#crash(error),
      onCheckpoint: (checkpoint) =>
        deps.keepCheckpoint?.({ ...checkpoint, messages: this.#record.messages }),
    });
    const onUnexpected = (error: unknown) => this.#warn('a provider failed', error);
    const hooked = { runner: this.#runner, journal: this.#journal, warm: deps.warm, onUnexpected };
    const hooks = partHooks(hooked);
    this.#parts = createParts(init, deps, leg.sampleRateHz, hooks);
    attachConsent(deps.consent, {
      ...{ recorder: this.#parts.recorder, runner: this.#runner, journal: this.#journal },
      isTakenOver: restored !== undefined,
    });
    deps.redaction?.onLine((line) => this.#parts.monitor.event(line));
    this.#failures = new FailureReports({ callId, log: deps.log, leg, runner: this.#runner });
    this.#conductor = new Conductor(this.#parts);
    const reports = { journal: this.#journal, leg, failures: this.#failures };
    this.#record = new CommandRecord({ ...reports, onTurn: deps.onTurn });
    this.#operators = createTransferController(init, deps, {
      caller: leg,
      runner: this.#runner,
      durable: () => this.#journal.durable(),
      warn: (message, error) => this.#warn(message, error),
      onBridged: (record) => {
        this.#inbound.flush();
        this.#conductor.close();
        // What an operator and the caller say is not written down, so nothing could be taken out of it.
        if (!record || deps.redaction?.sound) void this.#parts.recorder?.close();
      },
      parts: this.#parts,
    });
    const control = (event: ControlEvent) => askControl(this.#runner, event);
    const line = { ...hooks, caller: leg, control };
    this.#supervisor = createSupervisorLink(init, this.#parts, deps, line);
    const people = [this.#operators, this.#supervisor] as const;
    const format = { clock: deps.clock, sampleRateHz: leg.sampleRateHz };
    this.#inbound = new InboundAudio(this.#parts, this.#conductor, ...people, format);
    this.#parts.playout.attach(leg);
    if (restored) this.#record.recall(restored.messages);
    else this.#journal.append(createdLine(init, this.#startedAtMs));
    for (const failure of init.missing ?? []) this.#failures.survived(failure);
  }

  /** Resolves when the call is over, its record stored and its resources released. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** Why the call ended; meaningful once it is over. */
  get endReason(): EndReason {
    return this.#endReason;
  }

  /** The caller has answered. */
  answered(): void {
    // The instant that the record's times count from.
    this.#journal.patch({ answeredAt: Math.round(this.#startedAtMs) });
    this.#begin();
    this.#runner.send({ type: 'leg.answered' });
  }

  /** The caller is back, at this process instead of the one that had the call. */
  takenOver(restored: RestoredCall): void {
    const { view, state } = restored.call;
    if (view.lifecycle === 'queued') {
      this.answered();
      return;
    }
    if (view.lifecycle !== 'forwarded') this.#begin();
    this.#parts.listener.follow(view);
    this.#parts.volume.set(state.assistant.volumeDb);
    tellOfTakeOver(this.#runner, restored, this.#deps.clock.now());
  }

  #begin(): void {
    this.#deps.warm?.();
    this.#parts.backchannels?.prepare();
    this.#parts.sounds?.begin();
  }

  /** Asks the machine to end the call for a reason of the service. */
  end(reason: EndReason): void {
    this.#runner.send({ type: 'system.end', reason });
  }

  /** Leaves the call to another process when nothing is lost by it, or in the end as it is. */
  async handOver(leaving: Leaving, giveUp: () => Promise<void>): Promise<void> {
    const moving = { ...leaving, clock: this.#deps.clock, isOver: () => this.#closing };
    await momentToMove(this.#runner.call, this.#parts.playout, moving);
    if (!this.#closing) this.#endReason = 'service-restarted';
    void this.#close(giveUp);
    await this.finished;
  }

  /** Another process may own the call: the caller goes there. False if it is over, or two people talk, who stay connected. */
  letGo(): boolean {
    if (this.#closing || this.#operators.isBridged) return false;
    this.#endReason = 'service-restarted';
    void this.#close(async () => {});
    this.#leg.moved();
    return true;
  }

  control(event: ControlEvent): Promise<ControlOutcome> {
    return askControl(this.#runner, event, this.#journal);
  }

  listen(listener: CallListener): Listening | 'not-live' | 'full' {
    return this.#closing ? 'not-live' : this.#parts.monitor.listen(listener);
  }

  /** A person speaks with the caller by this microphone, until they give the call back. */
  takeOver(microphone: Microphone, by: string): Promise<TakenOver | TakeOverRefusal> {
    return this.#supervisor.offer(microphone, by);
  }

  audio(pcm: Int16Array): void {
    if (!this.#closing) this.#inbound.write(pcm);
  }

  dtmf(digit: string): void {
    this.#operators.pressed(digit);
    this.#runner.send({ type: 'dtmf', digit });
  }

  typed(text: string): void {
    this.#runner.send({ type: 'typed', text });
  }

  mark(name: string): void {
    this.#parts.playout.marked(name);
  }

  cleared(playedMs: number): void {
    this.#parts.playout.cleared(playedMs);
  }

  playback(stats: PlaybackStats): void {
    if (!this.#closing) this.#journal.patch({ playback: stats });
  }

  hangup(): void {
    this.#runner.send({ type: 'remote.hangup' });
  }

  lost(): void {
    this.#parts.playout.detach();
    this.#runner.send({ type: 'media.lost' });
  }

  resumed(): void {
    this.#runner.send({ type: 'media.resumed' });
    // A caller who talks with a person hears nobody else.
    if (!this.#operators.isBridged && !this.#supervisor.isOn) this.#parts.playout.attach(this.#leg);
  }

  #run(command: StampedCommand): void {
    if (command.type === 'state') this.#parts.listener.follow(command);
    if (isForParts(command)) this.#conductor.carryOut(command);
    else if (isForOperators(command)) {
      this.#operators.carryOut(command);
      const fault = command.type === 'leg.hangup' && failedTransfer(command.reason);
      if (fault) this.#failures.survived(fault);
    } else if (isForSupervisor(command)) this.#supervisor.carryOut(command);
    else if (command.type === 'finish') this.#finish(command);
    else this.#record.take(command);
  }

  #finish(command: Extract<StampedCommand, { type: 'finish' }>): void {
    this.#endReason = command.endReason;
    this.#failures.ended(command.endReason, command.failure);
    this.#journal.patch(endOf(command, this.#startedAtMs));
    void this.#journal.durable().then(() => this.#leg.end(command.endReason));
    void this.#close();
  }

  /** The service itself failed: the call ends at once with `internal-error`. */
  #crash(error: unknown): void {
    if (this.#closing) return;
    const { callId } = this;
    this.#deps.log.error({ callId, err: error }, 'the call failed with an internal error');
    const at = this.#runner.now();
    this.#finish({ type: 'finish', status: 'finished', at, endReason: 'internal-error' });
  }

  /** Another process owns the call: this one says and does nothing more, and the record is the other's. */
  taken(): void {
    if (this.#closing) return;
    this.#warn('a call that was live here belongs to another process', undefined);
    this.#endReason = 'service-restarted';
    void this.#close(undefined, true);
  }

  /** `isElsewhere`: another process has the call, or will; both parties look for it once the call may be taken. */
  async #close(giveUp?: () => Promise<void>, isElsewhere = giveUp !== undefined): Promise<void> {
    if (this.#closing) return;
    this.#inbound.flush();
    this.#closing = true;
    this.#runner.stop();
    if (isElsewhere) this.#parts.playout.leave();
    this.#conductor.close();
    this.#parts.monitor.end(this.#endReason);
    this.#supervisor.close(this.#endReason);
    try {
      if (!isElsewhere) await this.#operators.close();
      await closeRecord(this.#journal, this.#parts, this.#deps, giveUp !== undefined);
      await giveUp?.();
    } catch (error) {
      this.#warn('the call could not be closed cleanly', error);
    } finally {
      if (isElsewhere) await this.#operators.leave();
      if (giveUp) this.#leg.moved();
      else this.#leg.end(this.#endReason);
      this.#finished.resolve();
    }
  }

  #warn(message: string, error: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#deps.log.warn({ callId: this.callId, err: error, ...fields }, message);
  }
}
