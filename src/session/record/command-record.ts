import type { TranscriptMessage, TurnMetrics } from '../../contract/call-journal.ts';
import type { CallCommand, StampedCommand } from '../../engine/machine/commands.ts';
import type { MediaLeg } from '../../ports/media.ts';
import type { OperatorCommand, PartsCommand, SupervisorCommand } from '../command-owners.ts';
import type { FailureReports } from '../failure-reports.ts';
import type { JournalWriter } from './journal-writer.ts';

interface Deps {
  readonly journal: JournalWriter;
  readonly leg: Pick<MediaLeg, 'notify'>;
  readonly failures: Pick<FailureReports, 'survived'>;
  readonly onTurn: ((metrics: TurnMetrics) => void) | undefined;
}

type TranscriptCommand = Extract<CallCommand, { type: 'transcript.append' | 'transcript.patch' }>;

/** Every command that neither the parts nor an operator's leg carry out, except `finish`. */
export type RecordCommand = Exclude<
  StampedCommand,
  PartsCommand | OperatorCommand | SupervisorCommand | { readonly type: 'finish' }
>;

/** Writes commands to the call's record and notifies the far end. The journal itself has every command. */
export class CommandRecord {
  readonly #deps: Deps;
  readonly #messages = new Map<string, TranscriptMessage>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Learns the messages that an earlier process has stored. */
  recall(messages: readonly TranscriptMessage[]): void {
    for (const message of messages) this.#messages.set(message.messageId, message);
  }

  /** All messages so far, in the order in which they began. */
  get messages(): readonly TranscriptMessage[] {
    return [...this.#messages.values()];
  }

  take(command: RecordCommand): void {
    const { journal, leg, failures, onTurn } = this.#deps;
    switch (command.type) {
      case 'transcript.append':
      case 'transcript.patch': {
        const message = this.#wholeMessage(command);
        if (!message) return;
        this.#messages.set(message.messageId, message);
        journal.message(message);
        return;
      }
      case 'transcript.live': {
        const { role, text, final } = command;
        leg.notify({ type: 'transcript', role, text, final });
        return;
      }
      case 'state':
        leg.notify({ type: 'state', user: command.user, assistant: command.assistant });
        return;
      case 'status': {
        const { status, phoneCallStatus } = command;
        leg.notify({ type: 'status', status });
        journal.patch({ status, ...(phoneCallStatus ? { phoneCallStatus } : {}) });
        return;
      }
      case 'webhook':
        if (command.kind === 'error') failures.survived(command.data);
        return;
      case 'turn.metrics':
        onTurn?.(command.metrics);
        journal.turn(command.metrics);
        return;
      // `finish`, the next command, ends the leg: it knows the reason.
      case 'hangup':
      // `Session.control` finds its answer among the commands.
      case 'control.accepted':
      case 'control.refused':
      // Only for the journal.
      case 'workflow.step':
      case 'log':
        return;
      default:
        command satisfies never;
    }
  }

  /** The store keeps whole messages: a patch is applied to the message that it changes. */
  #wholeMessage(command: TranscriptCommand): TranscriptMessage | undefined {
    if (command.type === 'transcript.append') return command.message;
    const message = this.#messages.get(command.messageId);
    return message && { ...message, text: command.text };
  }
}
