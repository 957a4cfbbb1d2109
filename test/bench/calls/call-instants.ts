/** What a call's journal says of the instants that latencies are counted from, ms of the machine's monotonic clock. */
export interface CallInstants {
  /** The reply is to stop, at once. */
  readonly clears: readonly number[];
  /** The reply is to be held, at the end of a word where one is near. */
  readonly holds: readonly number[];
  /** The turn is over because a wait has ended that the rules asked for, as after a caller who was cut off (N7). */
  readonly waited: readonly number[];
  /** The caller is heard to speak. */
  readonly voices: readonly Voice[];
}

export interface Voice {
  readonly from: number;
  readonly to: number;
}

interface JournalLine {
  readonly at: number;
  readonly kind: 'event' | 'command' | 'note';
  readonly type: string;
  readonly data: { readonly startedAt?: number; readonly speculative?: boolean };
}

const KINDS: Readonly<Record<string, 'clears' | 'holds'>> = {
  'play.clear': 'clears',
  'play.hold': 'holds',
};

/** Ends a turn of the caller, and asks for its answer. */
const commits = ({ kind, type, data }: JournalLine): boolean =>
  kind === 'command' && (type === 'llm.adopt' || (type === 'llm.start' && !data.speculative));

/** `clockOffsetMs`: the service's wall clock minus the machine's monotonic one. */
export function instantsOf(journal: string, clockOffsetMs: number): CallInstants {
  const clears: number[] = [];
  const holds: number[] = [];
  const waited: number[] = [];
  const voices: { from: number; to: number }[] = [];
  const found = { clears, holds, waited, voices };
  let startedAt = 0;
  let eventAt = 0;
  for (const text of journal.split('\n')) {
    if (text === '') continue;
    const line = JSON.parse(text) as JournalLine;
    if (line.type === 'call.created') startedAt = line.data.startedAt ?? 0;
    const at = startedAt + line.at - clockOffsetMs;
    if (line.kind === 'event') eventAt = line.at;
    // A command without an event at its own instant came from a timer, and bears the instant at which that was due.
    if (commits(line) && line.at > eventAt) waited.push(at);
    if (line.type === 'vad.start') voices.push({ from: at, to: Number.POSITIVE_INFINITY });
    const voice = voices.at(-1);
    if (line.type === 'vad.stop' && voice) voice.to = Math.min(voice.to, at);
    const kind = KINDS[line.type];
    if (kind) found[kind].push(at);
  }
  return found;
}
