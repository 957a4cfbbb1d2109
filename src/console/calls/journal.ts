import type { CallCommand } from '../../engine/machine/commands.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import { chunksOf } from './chunks-of.ts';

interface Place {
  readonly seq: number;
  /** Milliseconds since the call was created. */
  readonly at: number;
}

type Line<Kind, T> = T extends { readonly type: infer Type }
  ? Place & { readonly kind: Kind; readonly type: Type; readonly data: Omit<T, 'type'> }
  : never;

/** Lines that are neither an input nor an output of the call machine. */
type Note = Place & {
  readonly kind: 'note';
  readonly type: 'call.created' | 'call.crashed' | 'failure' | 'llm.usage' | 'llm.wasted';
  readonly data: Readonly<Record<string, unknown>>;
};

/** A line of a call's journal. Other versions of the service may write other types, which readers must ignore. */
export type JournalLine = Line<'event', CallEvent> | Line<'command', CallCommand> | Note;

/** Parses a journal as it streams in; skips anything that is not a line. */
export async function readJournal(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): Promise<JournalLine[]> {
  const lines: JournalLine[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  const take = (text: string): void => {
    const line = parseLine(text);
    if (line) lines.push(line);
  };
  for await (const chunk of chunksOf(body)) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) take(part);
  }
  take(rest + decoder.decode());
  return lines;
}

/** Parses one line of a journal; undefined if it is not one. */
export function parseLine(text: string): JournalLine | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isLine(value) ? value : undefined;
  } catch {
    // The last line may be cut off where the connection broke.
    return undefined;
  }
}

/** True if the value has the shape of a journal line. */
export function isLine(value: unknown): value is JournalLine {
  if (typeof value !== 'object' || value === null) return false;
  const { seq, at, type, data } = value as Readonly<Record<string, unknown>>;
  return (
    typeof seq === 'number' &&
    typeof at === 'number' &&
    typeof type === 'string' &&
    typeof data === 'object' &&
    data !== null
  );
}
