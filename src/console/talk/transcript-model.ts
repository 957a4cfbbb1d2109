import type { Said } from '../../web-client/media-socket.ts';

export interface Line extends Said {
  readonly id: number;
  /** Playback was silenced before it was over. */
  readonly cut: boolean;
  /** Of what was cut: the words that were not heard, as far as they are known. */
  readonly unheard?: string;
  /** Since the call began. */
  readonly atMs: number;
}

/** The lines of a conversation as they grow. An utterance is one line from its first interim to its final. */
export class TranscriptModel {
  lines: readonly Line[] = [];
  #nextId = 1;
  /** Playback was silenced and nothing was played since. */
  #silenced = false;

  silenced(): void {
    this.#silenced = true;
  }

  sounded(): void {
    this.#silenced = false;
  }

  /** Takes what is said now; returns the line it is in. Its text is empty when it is gone. */
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

  /** What was to be said of a line that was cut. */
  addUnheard(id: number, unheard: string): void {
    this.lines = this.lines.map((line) => (line.id === id ? { ...line, unheard } : line));
  }

  /** A caller who went on after the pause: the service says the whole turn again. */
  #continued(role: Said['role'], text: string): Line | undefined {
    const last = this.lines.at(-1);
    const goesOn = role === 'user' && last?.role === 'user' && text.startsWith(last.text);
    return goesOn ? last : undefined;
  }
}
