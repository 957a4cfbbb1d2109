import type { UsageLine } from '../../contract/usage.ts';
import type { LlmMessage } from '../../ports/llm.ts';
import { CALL_KEY, type SpanAttributes, type SpanValue } from './call-span.ts';
import { type AskedTool, inputMessages, ModelContext, outputMessages } from './model-content.ts';
import { type OpenSpan, SpanBook } from './span-book.ts';

/** What a trace says that no journal does. */
export interface AboutCall {
  /** For journals that do not say when they begin. */
  readonly startedAtMs?: number;
  readonly teamId?: string;
  readonly assistant?: { readonly id?: string; readonly version?: number };
  /** The vendors of the call, those asked first first. */
  readonly usage?: readonly UsageLine[];
  /** Words of caller, assistant, model and tools, as the journal has them. */
  readonly captureContent?: boolean;
}

export type Data = Readonly<Record<string, unknown>>;
export type Port = UsageLine['kind'];

/** How the conventions name vendors that they know. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  'azure-openai': 'azure.ai.openai',
  google: 'gcp.gemini',
};

/** What the lines so far say about a call. */
export class TraceState {
  readonly book: SpanBook;
  /** The turn to which what happens now belongs; before the first one, the call. */
  turnKey = CALL_KEY;
  /** The latest request to the model. */
  lastAsked: OpenSpan | undefined;
  readonly #callId: string;
  readonly #about: AboutCall;
  readonly #context = new ModelContext();
  readonly #answers = new Map<OpenSpan, { texts: string[]; asked: AskedTool[] }>();
  readonly #vendors = new Map<string, Pick<UsageLine, 'vendor' | 'model'>>();
  /** When the caller began the words that the next turn answers. */
  #spokenSince: number | undefined;
  #heard: OpenSpan[] = [];

  /** @param created of the line `call.created`. */
  constructor(created: Data, about: AboutCall) {
    const { callType, direction } = (created.settings ?? {}) as Data;
    this.#about = about;
    this.#callId = String(created.callId);
    for (const line of about.usage ?? [])
      if (!this.#vendors.has(line.kind)) this.#vendors.set(line.kind, line);
    const startedAtMs = Number(created.startedAt ?? about.startedAtMs ?? 0);
    this.book = new SpanBook(this.#callId, {
      startedAtMs,
      kind: direction === 'outbound' ? 'client' : 'server',
      attributes: given({
        'gen_ai.conversation.id': this.#callId,
        'gen_ai.agent.id': about.assistant?.id,
        'gen_ai.agent.version': about.assistant?.version?.toString(),
        'parley.team.id': about.teamId,
        'parley.call.type': callType,
        'parley.call.direction': direction,
        'parley.engine.version': created.engineVersion,
      }),
    });
  }

  /** What the conventions say about a request to the vendor that does this work now. */
  request(port: Port, operation: string): SpanAttributes {
    const { vendor = 'unknown', model } = this.#vendors.get(port) ?? {};
    return given({
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': PROVIDER_NAMES[vendor] ?? vendor,
      'gen_ai.request.model': model,
      'gen_ai.conversation.id': this.#callId,
    });
  }

  /** Another vendor does this work from now on. */
  follow(port: string, vendor: string): void {
    const used = this.#about.usage?.find((line) => line.kind === port && line.vendor === vendor);
    this.#vendors.set(port, used ?? { vendor });
  }

  /** The caller began to say what the next turn answers. */
  spoke(sinceAt: number): void {
    this.#spokenSince ??= sinceAt;
  }

  /** Words of the caller; the turn that answers them begins later, if at all. */
  heard(span: OpenSpan): void {
    this.#heard.push(span);
  }

  /** The turn with this number, for a request to the model; a speculative one begins no turn. */
  turn(number: number, at: number, isSpeculative: boolean): string {
    const key = `turn:${number}`;
    if (!this.book.get(key)) {
      const attributes = { 'parley.turn': number };
      const turn = this.book.open(key, { name: 'turn', at, parent: CALL_KEY, attributes });
      turn.endAt = at;
    }
    if (!isSpeculative) this.beginTurn(key);
    return key;
  }

  /** What was heard since the caller began belongs to the turn; what was heard before has led to none. */
  beginTurn(key: string): void {
    if (key === this.turnKey) return;
    this.turnKey = key;
    const since = this.#spokenSince ?? 0;
    for (const span of this.#heard) if ((span.endAt ?? 0) >= since) span.parent = key;
    this.#heard = [];
    this.#spokenSince = undefined;
  }

  /** Attributes with words in them: none unless these are wanted. */
  words(values: () => SpanAttributes): SpanAttributes {
    return this.#about.captureContent ? values() : {};
  }

  /** The context of a request to the model, from its `llm.start`. */
  asked({ keptMessages, messages }: Data): SpanAttributes {
    return this.words(() => {
      const added = (messages ?? []) as readonly LlmMessage[];
      const context = this.#context.add(Number(keptMessages ?? 0), added);
      return { 'gen_ai.input.messages': inputMessages(context) };
    });
  }

  /** A part of the model's answer. */
  answering(span: OpenSpan, part: string | AskedTool): void {
    if (!this.#about.captureContent) return;
    const answer = this.#answers.get(span) ?? { texts: [], asked: [] };
    this.#answers.set(span, answer);
    if (typeof part === 'string') answer.texts.push(part);
    else answer.asked.push(part);
  }

  answered(span: OpenSpan, reason: string): SpanAttributes {
    return this.words(() => {
      const { texts, asked } = this.#answers.get(span) ?? { texts: [], asked: [] };
      this.#answers.delete(span);
      return { 'gen_ai.output.messages': outputMessages(texts, asked, reason) };
    });
  }
}

/** Without what is not known. */
export function given(values: Readonly<Record<string, unknown>>): SpanAttributes {
  const known = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(known) as Record<string, SpanValue>;
}
