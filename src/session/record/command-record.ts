import type { TurnMetrics } from '../../contract/call-journal.ts';
import type { StampedCommand } from '../../engine/machine/commands.ts';
import type { MediaLeg } from '../../ports/media.ts';
import type { OperatorCommand, PartsCommand } from '../command-owners.ts';
import type { FailureReports } from '../failure-reports.ts';
import type { JournalWriter } from './journal-writer.ts';
import { Transcript } from './transcript.ts';

interface Deps {
  readonly journal: JournalWriter;
  readonly leg: Pick<MediaLeg, 'notify'>;
  readonly failures: Pick<FailureReports, 'survived'>;
  readonly onTurn: ((metrics: TurnMetrics) => void) | undefined;
}

/** Every command that neither a part of the call nor an operator's leg carries out, and that does not end it. */
export type RecordCommand = Exclude<
  StampedCommand,
  PartsCommand | OperatorCommand | { readonly type: 'finish' }
>;

/** What goes on the record of a call and to whoever looks at it. The journal itself has every command. */
export class CommandRecord {
  readonly #deps: Deps;
  readonly #transcript = new Transcript();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  take(command: RecordCommand): void {
    const { journal, leg, failures, onTurn } = this.#deps;
    switch (command.type) {
      case 'transcript.append':
      case 'transcript.patch': {
        const message = this.#transcript.apply(command);
        if (message) journal.message(message);
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
      // The leg ends with `finish`, the very next command, which knows why: it is told that first.
      case 'hangup':
      // The answer to whoever asked, who looks for it among the commands.
      case 'control.accepted':
      case 'control.refused':
      // These stand in the journal, and nobody else wants them.
      case 'workflow.step':
      case 'log':
        return;
      default:
        command satisfies never;
    }
  }
}
