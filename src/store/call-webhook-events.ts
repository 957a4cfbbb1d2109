import type { TranscriptMessage } from '../contract/call-journal.ts';
import { failedTransfer, survivedFailure } from '../contract/failures.ts';
import type { CallCommand } from '../engine/machine/commands.ts';
import type { JournalLine } from '../ports/journal.ts';
import { errorDetails } from './failed-end.ts';
import type { Message } from './messages.ts';
import { type CallStage, statusUpdate, type WebhookEvent } from './outbox.ts';

type Command<Type extends CallCommand['type']> = Extract<CallCommand, { type: Type }>;

/** What lines of a call's journal tell the server of its assistant, and where they leave the call. */
export interface ToldByJournal {
  readonly webhookEvents: readonly WebhookEvent[];
  readonly stage: CallStage;
}

/**
 * Reads webhookEvents off journal lines that are new, each with the conversation as it stood then: a message
 * of the assistant counts when its heard text is final, every other at once.
 */
export function webhookEventsOf(
  lines: readonly JournalLine[],
  before: {
    readonly startAt: Date;
    readonly stage: CallStage;
    readonly messages: readonly Message[];
  },
): ToldByJournal {
  const conversation = new Map(before.messages.map((message) => [message.messageId, message]));
  const webhookEvents: WebhookEvent[] = [];
  let { stage } = before;
  const history = () => [...conversation.values()];
  const instant = (at: number) => new Date(before.startAt.getTime() + Math.round(at));
  const completed = (messageId: string, { seq, at }: JournalLine) =>
    webhookEvents.push({
      kind: 'conversation-update',
      cause: `line:${seq}`,
      at: instant(at),
      details: { messageId },
      stage,
      messages: history(),
    });

  for (const line of lines) {
    if (line.kind !== 'command') continue;
    const command = { type: line.type, ...line.data } as CallCommand;
    switch (command.type) {
      case 'transcript.append':
        conversation.set(command.message.messageId, toMessage(command.message, instant));
        if (command.message.role !== 'assistant') completed(command.message.messageId, line);
        break;
      case 'transcript.patch': {
        const { messageId, text, frozen } = command;
        const known = conversation.get(messageId);
        if (!known) break;
        conversation.set(messageId, { ...known, text });
        if (frozen) completed(messageId, line);
        break;
      }
      case 'status': {
        const next = nextStage(stage, command);
        if (next.status === stage.status && next.phoneCallStatus === stage.phoneCallStatus) break;
        stage = next;
        webhookEvents.push({
          ...statusUpdate(stage, instant(line.at), `line:${line.seq}`),
          messages: history(),
        });
        break;
      }
      case 'leg.hangup': {
        const fault = failedTransfer(command.reason);
        if (!fault) break;
        const told: Command<'webhook'> = { type: 'webhook', kind: 'error', data: fault };
        webhookEvents.push({
          ...toldFailure(told, line.seq, instant(line.at), stage),
          messages: history(),
        });
        break;
      }
      case 'webhook':
        webhookEvents.push({
          ...toldFailure(command, line.seq, instant(line.at), stage),
          messages: history(),
        });
        break;
    }
  }
  return { webhookEvents, stage };
}

function nextStage(
  stage: CallStage,
  { status, phoneCallStatus = stage.phoneCallStatus ?? undefined }: Command<'status'>,
): CallStage {
  return { status, phoneCallStatus: phoneCallStatus ?? null };
}

function toMessage(
  { messageId, role, text, at }: TranscriptMessage,
  instant: (at: number) => Date,
): Message {
  return { messageId, role, text, timestamp: instant(at) };
}

function toldFailure(
  { kind, data }: Command<'webhook'>,
  seq: number,
  at: Date,
  stage: CallStage,
): WebhookEvent {
  const told = { cause: `line:${seq}`, at, stage };
  if (kind === 'hang') return { ...told, kind, details: { turn: Number(data.turn ?? 0) } };
  const { part, ...failure } = survivedFailure(data);
  const error = { ...errorDetails(failure, data.retryable === true), type: part };
  return { ...told, kind, details: { error } };
}
