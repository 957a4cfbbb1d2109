import type { TranscriptMessage } from '../../contract/call-journal.ts';
import type { StampedCommand } from '../../engine/machine/commands.ts';

/** The messages of a call as its commands leave them, in the order in which they began. */
export function messagesOf(commands: readonly StampedCommand[]): readonly TranscriptMessage[] {
  const messages = new Map<string, TranscriptMessage>();
  for (const command of commands) {
    if (command.type === 'transcript.append')
      messages.set(command.message.messageId, command.message);
    if (command.type !== 'transcript.patch') continue;
    const message = messages.get(command.messageId);
    if (message) messages.set(command.messageId, { ...message, text: command.text });
  }
  return [...messages.values()];
}
