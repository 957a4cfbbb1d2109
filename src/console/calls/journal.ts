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

/** What neither went into the machine nor came out of it. */
type Note = Place & {
  readonly kind: 'note';
  readonly type: 'call.created' | 'call.crashed' | 'failure' | 'llm.usage' | 'llm.wasted';
  readonly data: Readonly<Record<string, unknown>>;
};

/** A line of a call's log. One that is of another version may have other types: they are passed by. */
export type JournalLine = Line<'event', CallEvent> | Line<'command', CallCommand> | Note;

/** Reads a log as it comes in; what is no line of one is left out. */
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

/** One line of a log; undefined for what is none. */
export function parseLine(text: string): JournalLine | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isLine(value) ? value : undefined;
  } catch {
    // Cut off where the connection was: those before it count.
    return undefined;
  }
}

/** Whether it is shaped as a line of a log. */
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
