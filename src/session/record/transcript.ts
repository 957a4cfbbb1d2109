import type { TranscriptMessage } from '../../contract/call-journal.ts';
import type { CallCommand } from '../../engine/machine/commands.ts';

type TranscriptCommand = Extract<CallCommand, { type: 'transcript.append' | 'transcript.patch' }>;

/** The messages so far: turns a patch into the whole message that the store keeps. */
export class Transcript {
  readonly #messages = new Map<string, TranscriptMessage>();

  apply(command: TranscriptCommand): TranscriptMessage | undefined {
    const message =
      command.type === 'transcript.append'
        ? command.message
        : this.#patched(command.messageId, command.text);
    if (message) this.#messages.set(message.messageId, message);
    return message;
  }

  #patched(messageId: string, text: string): TranscriptMessage | undefined {
    const message = this.#messages.get(messageId);
    return message && { ...message, text };
  }
}
