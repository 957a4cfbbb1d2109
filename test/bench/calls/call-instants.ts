/** What a call's journal says of the instants that latencies are counted from, ms of the machine's monotonic clock. */
export interface CallInstants {
  /** The reply is to stop, at once. */
  readonly clears: readonly number[];
  /** The reply is to be held, at the end of a word where one is near. */
  readonly holds: readonly number[];
  /** The caller is heard to speak. */
  readonly voices: readonly number[];
}

const KINDS: Readonly<Record<string, keyof CallInstants>> = {
  'play.clear': 'clears',
  'play.hold': 'holds',
  'vad.start': 'voices',
};

/** `clockOffsetMs`: the service's wall clock minus the machine's monotonic one. */
export function instantsOf(journal: string, clockOffsetMs: number): CallInstants {
  const found = { clears: [] as number[], holds: [] as number[], voices: [] as number[] };
  let startedAt = 0;
  for (const text of journal.split('\n')) {
    if (text === '') continue;
    const line = JSON.parse(text) as {
      readonly at: number;
      readonly type: string;
      readonly data: { readonly startedAt?: number };
    };
    if (line.type === 'call.created') startedAt = line.data.startedAt ?? 0;
    const kind = KINDS[line.type];
    if (kind) found[kind].push(startedAt + line.at - clockOffsetMs);
  }
  return found;
}
