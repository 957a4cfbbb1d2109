import type { RecordingConsent } from '../../ports/recording-consent.ts';
import type { CallRunner } from '../call-runner.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { Recorder } from './recorder.ts';

interface Parts {
  readonly recorder: Recorder | undefined;
  readonly runner: Pick<CallRunner, 'note'>;
  readonly journal: Pick<JournalWriter, 'patch'>;
  /** The call was another process' before: it is not recorded from then on. */
  readonly isTakenOver: boolean;
}

/** Lets consent decide what is recorded of a call, and notes it in the call's record. */
export function attachConsent(
  consent: RecordingConsent | undefined,
  { recorder, runner, journal, isTakenOver }: Parts,
): void {
  consent?.attach({
    begin: () => {
      if (!isTakenOver) recorder?.begin();
    },
    end: (untilMs) => void recorder?.close({ untilMs }),
    tell: (told) => {
      runner.note('recording.consent', told);
      journal.patch({ consent: told });
    },
  });
}
