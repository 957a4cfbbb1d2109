/** One line of a call's append-only log. `at` is ms since the call was created. */
export interface JournalLine {
  readonly seq: number;
  readonly at: number;
  /** `event` went into the machine, `command` came out of it, `note` is neither (for people). */
  readonly kind: 'event' | 'command' | 'note';
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Bounded and batched: `append` never blocks a call, and a store that is away is retried behind it. */
export interface Journal {
  append(line: JournalLine): void;
  /** Resolves when everything appended so far is kept, or its deadline passed. */
  close(): Promise<void>;
}
