import type { CallRunner } from './call-runner.ts';
import type { JournalWriter } from './record/journal-writer.ts';
import type { PartHooks, SessionDeps } from './session-parts.ts';

interface Hooked {
  readonly runner: CallRunner;
  readonly journal: JournalWriter;
  readonly warm: SessionDeps['warm'];
  readonly onUnexpected: (error: unknown) => void;
}

/** What the parts of a call tell its machine and its record. */
export function partHooks({ runner, journal, warm, onUnexpected }: Hooked): PartHooks {
  return {
    emit(event) {
      // Speech will be followed by requests to the vendors.
      if (event.type === 'vad.start') warm?.();
      runner.send(event);
    },
    durable: (withinMs) => journal.durable(withinMs),
    ownsCall: () => journal.ownsCall(),
    at: (clockMs) => runner.at(clockMs),
    onUsage: (genId, usage) => runner.note('llm.usage', { genId, ...usage }),
    onWaste: (genId, usage) => runner.note('llm.wasted', { genId, ...usage }),
    onUnexpected,
    onRecordingStopped: (reason) => runner.note('recording.stopped', { reason }),
  };
}
