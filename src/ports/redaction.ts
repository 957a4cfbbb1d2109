import type { JournalLine } from './journal.ts';

/** A part of a call's sound, in ms since the call was created. */
export interface SoundPart {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a session needs to know of the redaction of its call's record. */
export interface RecordRedaction {
  /** Gets each line as it is kept. */
  onLine(listener: (line: JournalLine) => void): void;
  /** Absent: the sound stays as it is. */
  readonly sound?: {
    /** What stands in place of the words. */
    readonly by: 'tone' | 'silence';
    /** The parts to be taken out, as far as the record is stored. */
    parts(): readonly SoundPart[];
    /** Key of the encrypted original, which is kept, 32 bytes; absent: it is not kept. */
    readonly key?: Uint8Array;
  };
}
