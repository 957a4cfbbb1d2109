import type { ControlEvent } from '../contract/control.ts';
import { type EndReason, failedTransfer } from '../contract/failures.ts';
import { Call, ENGINE_VERSION } from '../engine/machine/call.ts';
import type { StampedCommand } from '../engine/machine/commands.ts';
import { CONTROL_EVENTS } from '../engine/machine/control.ts';
import type { RestoredCall } from '../engine/machine/replay.ts';
import { webhookUpdateOf } from '../engine/webhook-events.ts';
import type { ControlOutcome } from '../ports/call-control.ts';
import type { CallListener, Listening } from '../ports/call-monitor.ts';
import type { LegSink, MediaLeg, PlaybackStats } from '../ports/media.ts';
import { CallRunner } from './call-runner.ts';
import { isForOperators, isForParts } from './command-owners.ts';
import { Conductor } from './conductor.ts';
import { FailureReports } from './failure-reports.ts';
import { InboundAudio } from './inbound/inbound-audio.ts';
import { createTransferController } from './operator/create-transfer-controller.ts';
import type { TransferController } from './operator/transfer-controller.ts';
import { CommandRecord } from './record/command-record.ts';
import { JournalWriter } from './record/journal-writer.ts';
import type { RecordingInfo } from './record/recorder.ts';
import {
  createParts,
  type SessionDeps,
  type SessionInit,
  type SessionParts,
} from './session-parts.ts';
import { eventsOfTakeOver } from './take-over-events.ts';

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
  readonly #inbound: InboundAudio;
  readonly #finished = Promise.withResolvers<void>();
  #endReason: EndReason = 'ended';
  #closing = false;
  #recording: Promise<RecordingInfo | undefined> | undefined;

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
      onTaken: () => this.#taken(),
    });
    this.#runner = new CallRunner({
      clock: deps.clock,
      call: restored?.call ?? new Call({ callId, settings: init.settings }),
      startedAtMs: this.#startedAtMs,
      ...(restored ? { goesOn: restored } : {}),
      append: (line, command) => {
        this.#journal.append(line, command && webhookUpdateOf(command));
        this.#parts.monitor.event(line);
      },
      run: (command) => this.#run(command),
      onCrash: (error) => this.#crash(error),
    });
    this.#parts = createParts(init, deps, leg.sampleRateHz, {
      emit: (event) => {
        // Speech will be followed by requests to the vendors.
        if (event.type === 'vad.start') deps.warm?.();
        this.#runner.send(event);
      },
      durable: () => this.#journal.durable(),
      ownsCall: () => this.#journal.ownsCall(),
      at: (clockMs) => this.#runner.at(clockMs),
      onUsage: (usage) => this.#runner.note('llm.usage', { ...usage }),
      onWaste: (genId, usage) => this.#runner.note('llm.wasted', { genId, ...usage }),
      onUnexpected: (error) => this.#warn('a provider failed', error),
      onRecordingStopped: (reason) => this.#runner.note('recording.stopped', { reason }),
    });
    this.#failures = new FailureReports({ callId, log: deps.log, leg, runner: this.#runner });
    this.#conductor = new Conductor(this.#parts);
    this.#record = new CommandRecord({
      journal: this.#journal,
      leg,
      failures: this.#failures,
      onTurn: deps.onTurn,
    });
    this.#operators = createTransferController(init, deps, {
      caller: leg,
      runner: this.#runner,
      durable: () => this.#journal.durable(),
      warn: (message, error) => this.#warn(message, error),
      onBridged: (record) => {
        this.#inbound.flush();
        this.#conductor.close();
        if (!record) void this.#endRecording();
      },
      tap: (pcm, atMs) => {
        if (!this.#recording) this.#parts.recorder?.write(pcm, atMs);
        this.#parts.monitor.write(pcm, atMs);
      },
    });
    this.#inbound = new InboundAudio(this.#parts, this.#conductor, this.#operators, {
      clock: deps.clock,
      sampleRateHz: leg.sampleRateHz,
      isRecording: () => !this.#recording,
    });
    this.#parts.playout.attach(leg);
    if (restored) {
      this.#record.recall(restored.commands);
      return;
    }
    const startedAt = Math.round(this.#startedAtMs);
    const data = { callId, engineVersion: ENGINE_VERSION, startedAt, settings: init.settings };
    this.#journal.append({ seq: 0, at: 0, kind: 'note', type: 'call.created', data });
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
    this.#journal.patch({ answeredAt: Math.round(this.#deps.clock.now()) });
    this.#deps.warm?.();
    this.#parts.backchannels?.prepare();
    this.#parts.sounds?.begin();
    this.#runner.send({ type: 'leg.answered' });
  }

  /** The caller is back, at this process instead of the one that had the call. */
  takenOver({ call, last }: RestoredCall): void {
    if (call.view.lifecycle === 'queued') {
      this.answered();
      return;
    }
    this.#deps.warm?.();
    this.#parts.backchannels?.prepare();
    this.#parts.sounds?.begin();
    const gapMs = Math.max(0, this.#runner.at(this.#deps.clock.now()) - last.at);
    for (const event of eventsOfTakeOver(call, last.at)) this.#runner.sendAtLast(event);
    this.#parts.volume.set(call.state.assistant.volumeDb);
    this.#runner.send({ type: 'media.resumed' });
    this.#runner.send({ type: 'call.resumed', gapMs });
  }

  /** Asks the machine to end the call for a reason of the service. */
  end(reason: EndReason): void {
    this.#runner.send({ type: 'system.end', reason });
  }

  async control(event: ControlEvent): Promise<ControlOutcome> {
    if (this.#closing) return { outcome: 'not-live' };
    // A node of another version may ask for more than this one knows.
    if (!Object.hasOwn(CONTROL_EVENTS, event.type))
      return { outcome: 'refused', reason: 'the call cannot do that' };
    for (const answer of await this.#runner.ask(event)) {
      if (answer.type === 'control.accepted') return { outcome: 'accepted' };
      if (answer.type === 'control.refused') return { outcome: 'refused', reason: answer.reason };
    }
    return { outcome: 'not-live' };
  }

  listen(listener: CallListener): Listening | 'not-live' | 'full' {
    return this.#closing ? 'not-live' : this.#parts.monitor.listen(listener);
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
    // A bridged caller hears the operator only.
    if (!this.#operators.isBridged) this.#parts.playout.attach(this.#leg);
  }

  #run(command: StampedCommand): void {
    if (command.type === 'state') this.#parts.listener.follow(command);
    if (isForParts(command)) this.#conductor.carryOut(command);
    else if (isForOperators(command)) {
      this.#operators.carryOut(command);
      const fault = command.type === 'leg.hangup' && failedTransfer(command.reason);
      if (fault) this.#failures.survived(fault);
    } else if (command.type === 'finish') this.#finish(command);
    else this.#record.take(command);
  }

  #finish(command: Extract<StampedCommand, { type: 'finish' }>): void {
    const { status, endReason, trigger, failure } = command;
    const endAt = Math.round(this.#startedAtMs + command.at);
    this.#endReason = endReason;
    this.#failures.ended(endReason, failure);
    this.#journal.patch({
      ...{ status, endAt, endReason },
      ...(trigger ? { endTrigger: trigger } : {}),
      ...(failure ? { failure } : {}),
    });
    void this.#journal.durable().then(() => this.#leg.end(endReason));
    void this.#close();
  }

  /** The service itself failed: the call ends at once with `internal-error`. */
  #crash(error: unknown): void {
    if (this.#closing) return;
    this.#deps.log.error(
      { callId: this.callId, err: error },
      'the call failed with an internal error',
    );
    const at = this.#runner.now();
    this.#finish({ type: 'finish', status: 'finished', at, endReason: 'internal-error' });
  }

  /** Another process owns the call: this one says and does nothing more, and the record is the other's. */
  #taken(): void {
    if (this.#closing) return;
    this.#deps.log.warn(
      { callId: this.callId },
      'a call that was live here belongs to another process',
    );
    this.#endReason = 'service-restarted';
    void this.#close();
  }

  async #close(): Promise<void> {
    if (this.#closing) return;
    this.#inbound.flush();
    this.#closing = true;
    this.#runner.stop();
    this.#conductor.close();
    this.#parts.monitor.end(this.#endReason);
    try {
      await this.#operators.close();
      const recording = await this.#endRecording();
      if (recording) this.#journal.patch({ recording });
      if (this.#deps.bill) this.#journal.patch(this.#deps.bill());
      this.#journal.patch({ settled: true });
      await this.#journal.close();
    } catch (error) {
      this.#warn('the call could not be closed cleanly', error);
    } finally {
      this.#leg.end(this.#endReason);
      this.#finished.resolve();
    }
  }

  #endRecording(): Promise<RecordingInfo | undefined> {
    this.#recording ??= this.#parts.recorder?.close() ?? Promise.resolve(undefined);
    return this.#recording;
  }

  #warn(message: string, error: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#deps.log.warn({ callId: this.callId, err: error, ...fields }, message);
  }
}
