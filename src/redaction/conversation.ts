import type { TranscriptMessage } from '../contract/call-journal.ts';
import type { TextFindings, TextToAnalyse } from './analyse-texts.ts';
import { maskText, mergeSpans, type Span } from './span.ts';

interface Message extends TranscriptMessage {
  spans: readonly Span[];
  /** As it was last stored, and as it is on its way to the store. */
  stored?: string;
  sent?: string;
}

/** How many messages back a dictated number may begin. */
const WINDOW = 10;
const CONTEXT_CHARS = 300;
/** Kinds that are dictated in pieces, over several turns. */
const IN_PIECES: ReadonlySet<string> = new Set([
  'card',
  'bank-account',
  'identity-number',
  'phone',
  'email',
  'number',
]);

/** The questions about a conversation's last messages, and where their answers belong. */
export interface ConversationQuestions {
  readonly texts: readonly TextToAnalyse[];
  /** Takes the findings in the order of `texts`; `isOver`: nothing more will be said. */
  readonly take: (findings: readonly TextFindings[], isOver: boolean) => void;
}

/**
 * The messages of a call. Each is judged with the question before it, and the caller's last ones together, since a
 * number is dictated in pieces. A number that may go on is taken out until the caller goes on with something else. The
 * words of a person who has taken the call over are judged like the caller's, and apart from them.
 */
export class Conversation {
  readonly #messages = new Map<string, Message>();

  set(message: TranscriptMessage): void {
    const known = this.#messages.get(message.messageId);
    if (known?.text === message.text) return;
    this.#messages.set(message.messageId, { ...known, ...message, spans: [] });
  }

  /** The assistant's last words, to which the caller's next are an answer. */
  get lastQuestion(): string {
    const last = [...this.#messages.values()].findLast(({ role }) => role === 'assistant');
    return last?.text.slice(-CONTEXT_CHARS) ?? '';
  }

  questions(): ConversationQuestions {
    const all = [...this.#messages.values()];
    const window = all.slice(-WINDOW);
    const single = window.map(({ role, text }, i) => ({
      text,
      context: role === 'user' ? questionBefore(all, all.length - window.length + i) : '',
    }));
    const speakers = [
      window.filter(({ role }) => role === 'user'),
      window.filter(({ spokenFrom }) => spokenFrom !== undefined),
    ].filter((pieces) => pieces.length > 0);
    const joined = speakers.map((pieces) => ({
      text: pieces.map(wordsOf).join('\n'),
      context: questionBefore(all, all.indexOf(pieces[0] as Message)),
    }));
    return {
      texts: [...single, ...joined],
      take: (findings, isOver) => {
        for (const [i, message] of window.entries()) message.spans = findings[i]?.spans ?? [];
        for (const [i, pieces] of speakers.entries()) {
          const across = findings[single.length + i];
          if (across) addAcross(pieces, across, isOver);
        }
      },
    };
  }

  /** The messages whose text is another one than was stored, as they are to be kept. */
  changed(): readonly TranscriptMessage[] {
    const changed: TranscriptMessage[] = [];
    for (const message of this.#messages.values()) {
      const { spans, stored, sent: _, ...kept } = message;
      const text = maskText(message.text, spans);
      message.sent = text;
      if (text !== stored) changed.push({ ...kept, text });
    }
    return changed;
  }

  /** What `changed` has returned last is stored. */
  stored(): void {
    for (const message of this.#messages.values())
      if (message.sent !== undefined) message.stored = message.sent;
  }

  /** A message as it is to be kept; undefined if there is none. */
  masked(messageId: string): string | undefined {
    const message = this.#messages.get(messageId);
    return message && maskText(message.text, message.spans);
  }

  /** What is taken out of the message with this very text; undefined if there is none. */
  spansOf(text: string): readonly Span[] | undefined {
    return [...this.#messages.values()].findLast((message) => message.text === text)?.spans;
  }

  /** True if a text was said by the caller and nothing had to be taken out of the message it is in. */
  isHarmless(text: string): boolean {
    const of = [...this.#messages.values()].filter(
      (message) => message.role === 'user' && message.text.includes(text.trim()),
    );
    return of.length > 0 && of.every(({ spans }) => spans.length === 0);
  }
}

function questionBefore(all: readonly Message[], index: number): string {
  const before = all[index - 1];
  return before && before.role !== 'user' ? before.text.slice(-CONTEXT_CHARS) : '';
}

/** Without the name that stands before the words of a person who has taken the call over. */
const wordsOf = ({ text, spokenFrom = 0 }: Message): string => text.slice(spokenFrom);

/** What was found in one speaker's messages together: only what no message shows alone. */
function addAcross(
  pieces: readonly Message[],
  { spans, trailing }: TextFindings,
  isOver: boolean,
): void {
  const found = spans.filter(({ label }) => IN_PIECES.has(label));
  const open = trailing && !isOver ? [trailing] : [];
  let from = 0;
  for (const message of pieces) {
    const { length } = wordsOf(message);
    const to = from + length;
    const shift = message.text.length - length;
    const own = [...found, ...open]
      .filter(({ start, end }) => start < to && end > from)
      .map(({ start, end, label }) => ({
        start: shift + Math.max(0, start - from),
        end: shift + Math.min(length, end - from),
        label,
      }));
    message.spans = mergeSpans([...message.spans, ...own]);
    from = to + 1;
  }
}
