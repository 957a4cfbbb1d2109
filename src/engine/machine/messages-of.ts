import type { TranscriptMessage } from '../../contract/call-journal.ts';
import type { StampedCommand } from './commands.ts';

/** The messages of a call as its commands leave them, in the order in which they began; `earlier` were there before. */
export function messagesOf(
  commands: readonly StampedCommand[],
  earlier: readonly TranscriptMessage[] = [],
): readonly TranscriptMessage[] {
  const messages = new Map(earlier.map((message) => [message.messageId, message]));
  for (const command of commands) {
    if (command.type === 'transcript.append')
      messages.set(command.message.messageId, command.message);
    if (command.type !== 'transcript.patch') continue;
    const message = messages.get(command.messageId);
    if (message) messages.set(command.messageId, { ...message, text: command.text });
  }
  return [...messages.values()];
}
