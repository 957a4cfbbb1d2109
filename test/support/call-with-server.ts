import { applyOverrides } from '../../src/contract/apply-overrides.ts';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import type { MessageRole } from '../../src/contract/call.ts';
import type { CallCommand } from '../../src/engine/machine/commands.ts';
import { webhookUpdateOf } from '../../src/engine/webhook-events.ts';
import { newCallId } from '../../src/lib/ids.ts';
import type { CallBatch, WebhookUpdateLine } from '../../src/ports/call-store.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { writeCallBatch } from '../../src/store/call-batch.ts';
import { createCall } from '../../src/store/calls.ts';
import type { Db } from '../../src/store/db.ts';
import { vendors } from '../contract/vendors.ts';

/** A stored call whose assistant has a server for webhooks, written as its session would write it. */
export interface CallWithServer {
  readonly teamId: string;
  readonly id: string;
  /** Writes commands of the call's machine as lines of its journal; returns the batch. */
  write(commands: readonly CallCommand[], patch?: CallBatch['patch']): Promise<CallBatch>;
  /** The commands of a whole turn: the caller asks, the assistant answers. */
  turn(question: string, answer: string): readonly CallCommand[];
}

export async function createCallWithServer(
  db: Db,
  params: {
    readonly teamId: string;
    readonly url: string;
    readonly server?: Readonly<Record<string, unknown>>;
    readonly assistant?: Readonly<Record<string, unknown>>;
    readonly call?: Partial<Parameters<typeof createCall>[1]>;
  },
): Promise<CallWithServer> {
  const { teamId, url } = params;
  const config = assistantConfigSchema(vendors).parse({
    name: 'Ada',
    assistantServer: { enabled: true, url, ...params.server },
    ...params.assistant,
  });
  const id = newCallId('web');
  await createCall(db, {
    id,
    teamId,
    callType: 'web',
    direction: 'inbound',
    snapshot: { ...applyOverrides(config), baseUrl: 'http://parley.test' },
    ...params.call,
  });
  let seq = 0;
  let messages = 0;
  return {
    teamId,
    id,
    async write(commands, patch = {}) {
      const entries = commands.map((command) => {
        seq++;
        return lineOf(command, { seq, at: seq * 10 });
      });
      const lines = entries.map(({ line }) => line);
      const webhookUpdates = entries.flatMap(({ updates }) => updates);
      const messages = transcript(commands);
      const batch = { callId: id, lines, webhookUpdates, messages, patch };
      await writeCallBatch(db, { teamId, ...batch });
      return batch;
    },
    turn(question, answer) {
      const n = ++messages;
      return [
        append(`u${n}`, 'user', question, n),
        append(`a${n}`, 'assistant', answer.slice(0, 3), n),
        { type: 'transcript.patch', messageId: `a${n}`, text: answer.slice(0, 5), frozen: false },
        { type: 'transcript.patch', messageId: `a${n}`, text: answer, frozen: true },
      ];
    },
  };
}

/** A command as its session would journal it, and what it tells the server of the assistant. */
export function lineOf(
  command: CallCommand,
  place: Pick<JournalLine, 'seq' | 'at'>,
): { readonly line: JournalLine; readonly updates: readonly WebhookUpdateLine[] } {
  const { type, ...data } = command;
  const update = webhookUpdateOf(command);
  return {
    line: { ...place, kind: 'command', type, data },
    updates: update ? [{ ...place, ...update }] : [],
  };
}

function append(messageId: string, role: MessageRole, text: string, n: number): CallCommand {
  return { type: 'transcript.append', message: { messageId, role, text, at: n * 1000 } };
}

/** The whole messages that a session would send along. */
function transcript(commands: readonly CallCommand[]): CallBatch['messages'] {
  const messages = new Map<string, CallBatch['messages'][number]>();
  for (const command of commands) {
    if (command.type === 'transcript.append')
      messages.set(command.message.messageId, command.message);
    if (command.type !== 'transcript.patch') continue;
    const known = messages.get(command.messageId);
    if (known) messages.set(known.messageId, { ...known, text: command.text });
  }
  return [...messages.values()];
}
