/** One line of a call's append-only log. `at` is ms since the call was created. */
export interface JournalLine {
  readonly seq: number;
  readonly at: number;
  /** `event` went into the machine, `command` came out of it, `note` is neither (for people). */
  readonly kind: 'event' | 'command' | 'note';
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
