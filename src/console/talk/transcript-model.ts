import type { Said } from '../../web-client/media-socket.ts';

export interface Line extends Said {
  readonly id: number;
  /** Playback was cleared before the end of the line. */
  readonly cut: boolean;
  /** Of an interrupted line: the words that were not heard, if known. */
  readonly unheard?: string;
  /** Since the start of the call. */
  readonly atMs: number;
}

/** The lines of a conversation as it grows. An utterance stays one line from its first interim to its final text. */
export class TranscriptModel {
  lines: readonly Line[] = [];
  #nextId = 1;
  /** Playback was cleared and nothing has played since. */
  #silenced = false;

  silenced(): void {
    this.#silenced = true;
  }

  sounded(): void {
    this.#silenced = false;
  }

  /** Adds or updates a line and returns it; an empty text removes the line. */
  add({ role, text, final }: Said, atMs: number): Line {
    const open = this.lines.find((line) => line.role === role && !line.final);
    const known = open ?? this.#continued(role, text);
    const cut = final && role === 'assistant' && this.#silenced;
    const line = {
      id: known?.id ?? this.#nextId++,
      role,
      text,
      final,
      cut,
      atMs: known?.atMs ?? atMs,
    };
    const others = this.lines.filter(({ id }) => id !== line.id);
    if (text === '') this.lines = others;
    else if (known) this.lines = this.lines.map((each) => (each === known ? line : each));
    else this.lines = [...this.lines, line];
    return line;
  }

  /** Adds the unheard part of an interrupted line. */
  addUnheard(id: number, unheard: string): void {
    this.lines = this.lines.map((line) => (line.id === id ? { ...line, unheard } : line));
  }

  /** The caller went on after a pause, and the service sends the whole turn again: returns the line to extend. */
  #continued(role: Said['role'], text: string): Line | undefined {
    const last = this.lines.at(-1);
    const goesOn = role === 'user' && last?.role === 'user' && text.startsWith(last.text);
    return goesOn ? last : undefined;
  }
}
