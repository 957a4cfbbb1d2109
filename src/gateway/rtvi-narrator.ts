import type { JournalLine } from '../ports/journal.ts';
import type { WebCommand } from './web-protocol.ts';

/** A message to the client without its id. */
export interface RtviNews {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Pieces of replies that are remembered until they are played; there are never as many. */
const MAX_PIECES = 64;
const SECOND_MS = 1000;

const news = (type: string, data: RtviNews['data'] = {}): RtviNews => ({ type, data });

/**
 * Tells a call in the messages of the RTVI standard. Pure; remembers what the standard wants as changes: who speaks, and
 * which words were new.
 */
export class RtviNarrator {
  /** True if the client knows the standard's second version. */
  readonly #isSecond: boolean;
  #user = 'silent';
  #assistant = 'idle';
  /** How much of the reply has been told as spoken. */
  #spoken = '';
  readonly #pieces = new Map<number, string>();

  constructor(isSecond: boolean) {
    this.#isSecond = isSecond;
  }

  /** What the client is told of this; `timestamp` is the present, ISO 8601. */
  tell(command: WebCommand, timestamp: string): readonly RtviNews[] {
    switch (command.type) {
      case 'transcript':
        return command.role === 'user'
          ? heard(command.text, command.final, timestamp)
          : this.#said(command.text, command.final);
      case 'state':
        return this.#changed(command.user, command.assistant);
      case 'status':
      case 'ended':
        return [news('server-message', { ...command })];
      case 'error':
        return [failed(command.message, false)];
      case 'line':
        return this.#line(command.line);
      default:
        return [];
    }
  }

  #changed(user: string, assistant: string): readonly RtviNews[] {
    const [userBefore, before] = [this.#user, this.#assistant];
    this.#user = user;
    this.#assistant = assistant;
    const turned = (from: string, to: string, state: string, name: string) => [
      ...(from !== state && to === state ? [news(`${name}-started`)] : []),
      ...(from === state && to !== state ? [news(`${name}-stopped`)] : []),
    ];
    const spoke = (isBefore: boolean, isNow: boolean, who: string) =>
      isBefore === isNow ? [] : [news(`${who}-${isNow ? 'started' : 'stopped'}-speaking`)];
    return [
      ...spoke(userBefore !== 'silent', user !== 'silent', 'user'),
      ...turned(before, assistant, 'thinking', 'bot-llm'),
      ...spoke(before === 'speaking', assistant === 'speaking', 'bot'),
    ];
  }

  /** `text`: what was heard of the reply so far. */
  #said(text: string, isFinal: boolean): readonly RtviNews[] {
    const added = text.startsWith(this.#spoken) ? text.slice(this.#spoken.length) : '';
    this.#spoken = isFinal ? '' : text;
    return [
      ...(added.trim() === '' ? [] : [news('bot-tts-text', { text: added.trim() })]),
      ...(isFinal && text !== '' ? [news('bot-transcription', { text })] : []),
    ];
  }

  #line({ kind, type, data }: JournalLine): readonly RtviNews[] {
    const { uttId, toolCallId, text } = data as Readonly<Record<string, unknown>>;
    switch (`${kind}:${type}`) {
      case 'command:tts.start':
        this.#remember(Number(uttId), String(text));
        return [];
      case 'command:play.start':
        return this.#begun(Number(uttId));
      case 'event:play.finished':
      case 'event:play.cleared':
        return this.#over(Number(uttId), type === 'play.finished');
      case 'command:tts.cancel':
        this.#pieces.delete(Number(uttId));
        return [];
      // Neither names nor arguments: they may be nobody else's business.
      case 'command:tool.invoke':
        return [
          news('llm-function-call-started'),
          news('llm-function-call-in-progress', { tool_call_id: toolCallId }),
        ];
      case 'event:tool.result':
      case 'event:tool.error':
      case 'command:tool.cancel': {
        const cancelled = type === 'tool.cancel';
        return [news('llm-function-call-stopped', { tool_call_id: toolCallId, cancelled })];
      }
      case 'command:turn.metrics':
        return measured((data as { readonly metrics: Readonly<Record<string, unknown>> }).metrics);
      default:
        return [];
    }
  }

  #remember(uttId: number, text: string): void {
    this.#pieces.set(uttId, text);
    if (this.#pieces.size > MAX_PIECES)
      this.#pieces.delete(this.#pieces.keys().next().value as number);
  }

  #begun(uttId: number): readonly RtviNews[] {
    const text = this.#pieces.get(uttId);
    if (text === undefined) return [];
    return [
      news('bot-llm-text', { text }),
      news('bot-output', { ...outputOf(uttId, text), spoken_status: 'new' }),
      news('bot-tts-started'),
    ];
  }

  #over(uttId: number, isWhole: boolean): readonly RtviNews[] {
    const text = this.#pieces.get(uttId);
    if (text === undefined) return [];
    this.#pieces.delete(uttId);
    const progress = { accumulated_text: text, remaining_text: '' };
    const whole = {
      ...outputOf(uttId, text),
      spoken_status: 'completed',
      spoken_progress: progress,
    };
    return [
      // An older client would take it for a second piece.
      ...(isWhole && this.#isSecond ? [news('bot-output', whole)] : []),
      news('bot-tts-stopped'),
    ];
  }
}

/** The message of an error; a fatal one is followed by the end of the connection. */
export function failed(message: string, fatal: boolean): RtviNews {
  // `message` is for older clients.
  return news('error', { error: message, message, fatal });
}

const outputOf = (uttId: number, text: string) => ({
  text,
  aggregated_by: 'sentence',
  segment_id: uttId,
  spoken: true,
  will_be_spoken: true,
});

function heard(text: string, final: boolean, timestamp: string): readonly RtviNews[] {
  // What turned out to be no words at all.
  if (text === '') return [];
  return [
    news('user-transcription', { text, final, timestamp, user_id: 'caller' }),
    ...(final ? [news('user-llm-text', { text })] : []),
  ];
}

function measured({ modelMs, voiceMs, totalMs }: Readonly<Record<string, unknown>>) {
  const of = (processor: string, ms: unknown) =>
    typeof ms === 'number' ? [{ processor, value: ms / SECOND_MS }] : [];
  return [
    news('metrics', {
      ttfb: [...of('llm', modelMs), ...of('tts', voiceMs)],
      processing: of('turn', totalMs),
    }),
  ];
}
