import type { TranscriptMessage } from '../../contract/call-journal.ts';
import type { CallBatch, CallPatch, CallStore } from '../../ports/call-store.ts';
import type { JournalLine } from '../../ports/journal.ts';

/** The record of a call that nobody stores. */
export class KeptRecord implements CallStore {
  readonly #lines: JournalLine[] = [];
  readonly #messages = new Map<string, TranscriptMessage>();
  #patch: CallPatch = {};

  async write({ lines, messages, patch }: CallBatch): Promise<void> {
    this.#lines.push(...lines);
    for (const message of messages) this.#messages.set(message.messageId, message);
    this.#patch = { ...this.#patch, ...patch };
  }

  get messages(): readonly TranscriptMessage[] {
    return [...this.#messages.values()];
  }

  /** As the API gives them. */
  get events(): string {
    return this.#lines.map((line) => JSON.stringify(line)).join('\n');
  }

  asOf(startAt: Date) {
    return {
      startAt: startAt.toISOString(),
      endReason: this.#patch.endReason,
      messages: this.messages.map(({ messageId, role, text, at }) => ({
        ...{ messageId, role, text },
        timestamp: new Date(startAt.getTime() + at).toISOString(),
      })),
    };
  }
}
