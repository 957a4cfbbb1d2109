import type { CallConsent } from '../contract/recording-consent.ts';

/** The recording of a call that needs consent. */
export interface ConsentedRecording {
  begin(): void;
  /** Ends it for good. Nothing later than `untilMs` since the beginning is kept; 0: nothing at all. */
  end(untilMs: number): void;
  /** Notes it in the call's record and event log. */
  tell(consent: CallConsent): void;
}

/** Decides when a call may be recorded, and when not any more. */
export interface RecordingConsent {
  attach(recording: ConsentedRecording): void;
}
