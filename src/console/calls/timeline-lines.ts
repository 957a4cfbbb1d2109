import type { MessageRole } from '../../contract/call.ts';
import type { TranscriptMessage } from '../../contract/call-journal.ts';
import type { JournalLine } from './journal.ts';
import { SpokenPlan } from './spoken-plan.ts';
import { type SpokenWord, SpokenWords } from './spoken-words.ts';

/** One line of the transcript. */
export interface SpokenLine {
  readonly id: string;
  readonly role: MessageRole;
  /** Name of the person who had taken the call over. */
  readonly speaker?: string;
  /** For the assistant: the part that was heard. */
  readonly text: string;
  /** The part that the assistant had yet to speak when it was interrupted. */
  readonly unheard: string;
  /** On the call's timeline, which is also the recording's. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The line may still grow. */
  readonly open: boolean;
  /** Word times of the assistant's line, if its voice provides them. */
  readonly words: readonly SpokenWord[];
}

interface Draft extends SpokenLine {
  /** The full text of an interrupted reply. */
  readonly planned?: string;
}

interface Cut {
  readonly at: number;
  readonly planned: string;
  readonly words: readonly SpokenWord[];
}

/** Builds the transcript from the journal, line by line and word by word. */
export class TranscriptLines {
  /** Lines are replaced, never changed, so that components see which are new. */
  #lines: readonly Draft[] = [];
  readonly #plan = new SpokenPlan();
  readonly #words = new SpokenWords();
  /** Utterances of the reply being spoken. */
  #playing: { readonly uttId: number; readonly text: string }[] = [];
  #cut: Cut | undefined;
  #interim: Draft | undefined;
  #userFromMs = 0;
  #userToMs = 0;
  /** What a person who has taken the call over said last. */
  #supervisor: { readonly by: string; readonly text: string; readonly endAt: number } | undefined;

  /** In the order in which they were spoken; the last may be the caller's interim transcript. */
  get lines(): readonly SpokenLine[] {
    return this.#interim ? [...this.#lines, this.#interim] : this.#lines;
  }

  add(line: JournalLine): void {
    this.#plan.add(line);
    this.#words.add(line);
    switch (line.type) {
      case 'vad.start':
        this.#userFromMs = line.data.onsetAt;
        break;
      case 'vad.stop':
        this.#endUser(line.data.speechEndAt);
        break;
      case 'supervisor.said':
        this.#supervisor = line.data;
        break;
      case 'transcript.append':
        this.#append(line.data.message);
        break;
      case 'transcript.patch':
        this.#patch(line.data, line.at);
        break;
      case 'transcript.live':
        this.#live(line.data, line.at);
        break;
      case 'tts.words':
        this.#showWords();
        break;
      case 'play.started':
        this.#begin(line.data.uttId);
        break;
      case 'play.finished':
        this.#extend(line.at);
        break;
      case 'play.cleared':
        this.#cutOff(line.data.uttId, line.at);
        break;
      case 'finish':
        this.#lines = this.#lines.map((each) => (each.open ? { ...each, open: false } : each));
        this.#interim = undefined;
        break;
      default:
    }
  }

  #append({ messageId, role, text, at }: TranscriptMessage): void {
    const line = { id: messageId, role, text, unheard: '', fromMs: at, words: [] };
    // The note that follows repeats the words, with the name before them.
    const supervisor = this.#supervisor;
    this.#supervisor = undefined;
    if (supervisor) {
      const { by: speaker, text: words, endAt: toMs } = supervisor;
      this.#push({ ...line, text: words, speaker, toMs, open: false });
      return;
    }
    if (role !== 'assistant') {
      if (role === 'user') this.#interim = undefined;
      const toMs = role === 'user' ? Math.max(at, this.#userToMs) : at;
      this.#push({ ...line, toMs, open: false });
      return;
    }
    const cut = this.#cut;
    this.#cut = undefined;
    if (cut && cut.at >= at) {
      const { planned, words } = cut;
      const unheard = unheardPart(text, planned);
      this.#push({ ...line, toMs: cut.at, open: true, unheard, planned, words });
    } else {
      this.#push({ ...line, toMs: at, open: true, words: this.#replyWords() });
    }
  }

  #patch(
    { messageId, text, frozen }: { messageId: string; text: string; frozen: boolean },
    at: number,
  ): void {
    const line = this.#lines.find(({ id }) => id === messageId);
    if (!line) return;
    const { role, open, planned } = line;
    const saying = role === 'assistant' && open;
    this.#change(line, {
      text,
      ...(planned === undefined ? {} : { unheard: unheardPart(text, planned) }),
      ...(saying && planned === undefined ? { toMs: at } : {}),
      ...(frozen ? { open: false } : {}),
    });
    if (frozen && saying) this.#playing = [];
  }

  #live({ role, text, final }: { role: string; text: string; final: boolean }, at: number): void {
    if (role === 'assistant') {
      const line = this.#reply();
      if (line && text !== '') this.#change(line, { text });
      return;
    }
    const fromMs = this.#interim?.fromMs ?? this.#userFromMs;
    const begun = { id: 'interim', role: 'user', unheard: '', open: true, words: [] } as const;
    this.#interim = final || text === '' ? undefined : { ...begun, text, fromMs, toMs: at };
  }

  #begin(uttId: number): void {
    this.#playing.push({ uttId, text: this.#plan.textOf(uttId) });
    this.#showWords();
  }

  #showWords(): void {
    const line = this.#reply();
    if (line && line.planned === undefined) this.#change(line, { words: this.#replyWords() });
  }

  #extend(at: number): void {
    const line = this.#reply();
    if (line) this.#change(line, { toMs: at });
  }

  #cutOff(uttId: number, at: number): void {
    const rest = this.#plan.droppedAfter(uttId);
    const planned = [...this.#playing.map(({ text }) => text), ...rest].join(' ');
    const line = this.#reply();
    // A reply interrupted at its first words has no line yet.
    if (!line) this.#cut = { at, planned, words: this.#replyWords() };
    else this.#change(line, { toMs: at, planned, unheard: unheardPart(line.text, planned) });
    this.#playing = [];
  }

  #endUser(at: number): void {
    this.#userToMs = at;
    const last = this.#lines.at(-1);
    if (last?.role === 'user' && last.fromMs <= at) this.#change(last, { toMs: at });
  }

  #push(line: Draft): void {
    this.#lines = [...this.#lines, line];
  }

  #change(line: Draft, change: Partial<Draft>): void {
    this.#lines = this.#lines.map((each) => (each === line ? { ...line, ...change } : each));
  }

  /** The line of the reply being spoken. */
  #reply(): Draft | undefined {
    return this.#lines.findLast(({ role, open }) => role === 'assistant' && open);
  }

  #replyWords(): SpokenWord[] {
    return this.#playing.flatMap(({ uttId }) => this.#words.wordsOf(uttId));
  }
}

/** The planned words that were not heard. If the texts differ, the heard words are only counted. */
function unheardPart(heard: string, planned: string): string {
  if (planned.startsWith(heard)) return planned.slice(heard.length).trim();
  const count = heard.split(/\s+/).length;
  return planned.split(/\s+/).slice(count).join(' ');
}
