import type { CallBatch, CallStore } from '../ports/call-store.ts';
import type { CallRecord } from '../store/calls.ts';
import { asksNotToBeCalled } from './do-not-call-words.ts';

/** What happens to the record of a call on its way to the store, and to the file of what the store refused. */
export interface Heeding {
  store(store: CallStore): CallStore;
  keepUnsaved(keep: (batch: CallBatch) => Promise<void>): (batch: CallBatch) => Promise<void>;
}

/**
 * Puts the person on the line on the list of numbers that are not called when they ask for it, where the assistant has
 * that tool: a model that forgets to use it does not decide. The wish is part of the batch with its words, so that it is
 * tried again, kept and restored with them.
 */
export function heedDoNotCall(record: CallRecord): Heeding {
  const { assistant } = record.snapshot;
  if (!assistant.assistantPredefinedTools.doNotCall || !record.userNumber)
    return { store: (store) => store, keepUnsaved: (keep) => keep };
  const languages = assistant.config.speech.stt.languages.split(',').map((tag) => tag.trim());
  const heard = (batch: CallBatch): CallBatch =>
    batch.messages.some(({ role, text }) => role === 'user' && asksNotToBeCalled(text, languages))
      ? { ...batch, doNotCall: true }
      : batch;
  return {
    store: (store) => ({
      ...(store.hurry ? { hurry: () => store.hurry?.() } : {}),
      write: (batch) => store.write(heard(batch)),
    }),
    keepUnsaved: (keep) => (batch) => keep(heard(batch)),
  };
}
