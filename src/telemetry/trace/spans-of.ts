import type { JournalLine } from '../../ports/journal.ts';
import { CALL_KEY, type CallSpan, toolKey } from './call-span.ts';
import { finishReason } from './model-content.ts';
import type { OpenSpan } from './span-book.ts';
import { type AboutCall, type Data, given, TraceState } from './trace-state.ts';

type Line = (state: TraceState, data: Data, at: number, seq: number) => void;

const seconds = (ms: number): number => ms / 1000;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function end(
  span: OpenSpan | undefined,
  at: number,
  attributes: OpenSpan['attributes'] = {},
): void {
  if (!span || span.endAt !== undefined) return;
  span.endAt = at;
  Object.assign(span.attributes, attributes);
}

function fail(span: OpenSpan | undefined, at: number, code: unknown): void {
  if (!span || span.endAt !== undefined) return;
  span.endAt = at;
  span.errorType = text(code) || '_OTHER';
}

const codeOf = (error: unknown): unknown => (error as Data | undefined)?.code;

const generation = ({ book }: TraceState, { genId }: Data) => book.latest(`model:${genId}`);
const utterance = ({ book }: TraceState, { uttId }: Data) => book.latest(`voice:${uttId}`);
const playback = ({ book }: TraceState, { uttId }: Data) => book.latest(`playback:${uttId}`);
const tool = ({ book }: TraceState, { toolCallId }: Data) => book.latest(toolKey(text(toolCallId)));
const transfer = ({ book }: TraceState, { legId }: Data) => book.latest(`transfer:${legId}`);

/** A line that is only an event of the call. */
const note =
  (
    name: string,
    attributesOf: (data: Data) => Readonly<Record<string, unknown>> = () => ({}),
  ): Line =>
  ({ book }, data, at) =>
    book.event(name, at, given(attributesOf(data)));

const transferred =
  (outcome: string): Line =>
  (state, data, at) =>
    void state.book.mark(transfer(state, data), outcome, at);

const played: Line = (state, data, at) =>
  end(playback(state, data), at, given({ 'parley.played_ms': data.playedMs }));

/** What each kind of line says about the trace. Lines of other kinds say nothing. */
const LINES: Readonly<Record<string, Line>> = {
  'leg.answered': note('answered'),
  'media.lost': note('connection lost'),
  'media.resumed': note('connection resumed'),
  'process.lost': note('process lost'),
  'call.resumed': note('taken over', ({ gapMs }) => ({ 'parley.gap_ms': gapMs })),
  'workflow.step': note('workflow step', ({ by }) => ({ 'parley.workflow.by': by })),
  'stt.error': note('recogniser failed', ({ error }) => ({ 'error.type': codeOf(error) })),
  failure: ({ book }, { code }, at) => {
    book.event('failure', at, given({ 'error.type': code }));
    // What ended the call is written behind its end; a crash has none.
    if (book.root.endAt !== undefined || code === 'internal-error')
      book.root.errorType = text(code);
  },
  'vendor.failover': (state, { port, vendor, successor, delayMs, error }, at) => {
    const details = { 'parley.port': port, 'parley.vendor': vendor, 'parley.successor': successor };
    const attributes = { ...details, 'parley.delay_ms': delayMs, 'error.type': codeOf(error) };
    state.book.event('failover', at, given(attributes));
    state.follow(text(port), text(successor));
  },

  'stt.final': (state, { text: words, startAt, endAt, conf }, at, seq) => {
    const startedAt = Math.min(Number(startAt ?? at), at);
    const span = state.book.open(`recogniser:${seq}`, {
      name: 'speech_to_text',
      kind: 'client',
      at: startedAt,
      parent: CALL_KEY,
      attributes: {
        ...state.request('stt', 'speech_to_text'),
        ...given({ 'parley.confidence': conf }),
        'parley.audio_ms': Number(endAt ?? at) - startedAt,
        ...state.words(() => ({ 'parley.text': text(words) })),
      },
    });
    end(span, at);
    state.heard(span);
  },
  'transcript.append': (state, { message }) => {
    const { role, at } = (message ?? {}) as Data;
    if (role === 'user') state.spoke(Number(at));
  },

  'llm.start': (state, data, at) => {
    const isSpeculative = data.speculative === true;
    const request = state.request('llm', 'chat');
    const model = request['gen_ai.request.model'];
    state.lastAsked = state.book.open(`model:${data.genId}`, {
      name: model === undefined ? 'chat' : `chat ${model}`,
      kind: 'client',
      at,
      parent: state.turn(Number(data.turn), at, isSpeculative),
      attributes: {
        ...request,
        'gen_ai.request.stream': true,
        'gen_ai.output.type': 'text',
        'parley.speculative': isSpeculative,
        ...state.asked(data),
      },
    });
  },
  'llm.adopt': (state, data) => {
    const span = generation(state, data);
    if (!span) return;
    span.attributes['parley.adopted'] = true;
    state.beginTurn(span.parent);
  },
  'llm.text': (state, data, at) => {
    const span = generation(state, data);
    if (!span || span.endAt !== undefined) return;
    span.attributes['gen_ai.response.time_to_first_chunk'] ??= seconds(at - span.startAt);
    state.answering(span, text(data.text));
  },
  'llm.toolCall': (state, data) => {
    const { toolCallId, name, arguments: args } = data;
    const span = generation(state, data);
    if (span)
      state.answering(span, { id: text(toolCallId), name: text(name), arguments: text(args) });
  },
  'llm.usage': (state, data) => {
    // What briefs an operator is no request of the call's own.
    if (data.briefing === true) return;
    // Journals of earlier versions do not say whose it is: it came before the end of the answer.
    const span = data.genId === undefined ? state.lastAsked : generation(state, data);
    const usage = {
      'gen_ai.usage.input_tokens': data.inputTokens,
      'gen_ai.usage.output_tokens': data.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': data.cachedTokens,
    };
    if (span) Object.assign(span.attributes, given(usage));
  },
  'llm.done': (state, data, at) => {
    const span = generation(state, data);
    if (!span) return;
    const reason = finishReason(text(data.reason));
    const reasons = { 'gen_ai.response.finish_reasons': [reason] };
    end(span, at, { ...reasons, ...state.answered(span, reason) });
  },
  'llm.error': (state, data, at) => fail(generation(state, data), at, codeOf(data.error)),
  'llm.cancel': (state, data, at) => end(generation(state, data), at, { 'parley.cancelled': true }),

  'tts.start': (state, { uttId, text: words, cache }, at) => {
    const request = state.request('tts', 'text_to_speech');
    state.book.open(`voice:${uttId}`, {
      name: 'text_to_speech',
      kind: 'client',
      at,
      parent: state.turnKey,
      attributes: {
        ...request,
        'gen_ai.output.type': 'speech',
        'parley.characters': text(words).length,
        'parley.cacheable': cache === true,
        ...state.words(() => ({ 'parley.text': text(words) })),
      },
    });
  },
  'tts.audio': (state, data, at) => {
    const span = utterance(state, data);
    if (span && span.endAt === undefined)
      span.attributes['gen_ai.response.time_to_first_chunk'] ??= seconds(at - span.startAt);
  },
  'tts.done': (state, data, at) =>
    end(utterance(state, data), at, given({ 'parley.audio_ms': data.totalMs })),
  'tts.failed': (state, data, at) => fail(utterance(state, data), at, codeOf(data.error)),
  'tts.cancel': (state, data, at) =>
    data.stalled === true
      ? fail(utterance(state, data), at, 'timeout')
      : end(utterance(state, data), at, { 'parley.cancelled': true }),
  'play.started': (state, data, at) => {
    const parent = utterance(state, data)?.parent ?? state.turnKey;
    state.book.open(`playback:${data.uttId}`, { name: 'playback', at, parent });
  },
  'play.finished': played,
  'play.cleared': (state, data, at) => {
    const span = playback(state, data);
    if (span) span.attributes['parley.interrupted'] = true;
    played(state, data, at, 0);
  },

  'tool.invoke': (state, { toolCallId, name, arguments: args }, at) => {
    state.book.open(toolKey(text(toolCallId)), {
      name: `execute_tool ${text(name)}`,
      at,
      parent: state.turnKey,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': text(name),
        'gen_ai.tool.call.id': text(toolCallId),
        'gen_ai.tool.type': 'function',
        ...state.words(() => ({ 'gen_ai.tool.call.arguments': JSON.stringify(args ?? {}) })),
      },
    });
  },
  'tool.result': (state, data, at) => {
    const result = state.words(() => ({ 'gen_ai.tool.call.result': text(data.result) }));
    end(tool(state, data), at, result);
  },
  // Without a code the tool has refused as it is meant to.
  'tool.error': (state, data, at) =>
    data.code === undefined
      ? end(tool(state, data), at, { 'parley.refused': true })
      : fail(tool(state, data), at, data.code),
  'tool.cancel': (state, data, at) => end(tool(state, data), at, { 'parley.cancelled': true }),

  'leg.dial': ({ book, turnKey }, { legId, mode }, at) => {
    const attributes = given({ 'parley.transfer.mode': mode });
    book.open(`transfer:${legId}`, {
      name: 'transfer',
      kind: 'client',
      at,
      parent: turnKey,
      attributes,
    });
  },
  'operator.ringing': transferred('ringing'),
  'operator.answered': transferred('answered'),
  'operator.accepted': transferred('accepted'),
  'leg.bridge': transferred('bridged'),
  'operator.declined': (state, data, at) =>
    end(transfer(state, data), at, given({ 'parley.transfer.declined': data.reason })),
  'operator.failed': (state, data, at) => fail(transfer(state, data), at, data.reason),
  'operator.hungUp': (state, data, at) => end(transfer(state, data), at),
  'leg.hangup': (state, data, at) => end(transfer(state, data), at),

  'turn.metrics': ({ book }, { metrics }) => {
    const { turn, endpointMs, recogniserMs, modelMs, voiceMs, totalMs } = (metrics ?? {}) as Data;
    const span = book.get(`turn:${turn}`);
    const latencies = {
      'parley.turn.endpoint_ms': endpointMs,
      'parley.turn.recogniser_ms': recogniserMs,
      'parley.turn.model_ms': modelMs,
      'parley.turn.voice_ms': voiceMs,
      'parley.turn.total_ms': totalMs,
    };
    if (span) Object.assign(span.attributes, given(latencies));
  },
  finish: ({ book }, { status, endReason, trigger, failure }, at) => {
    const attributes = {
      'parley.call.status': status,
      'parley.call.end_reason': endReason,
      'parley.call.ended_by': trigger,
    };
    end(book.root, at, given(attributes));
    if (failure !== undefined) book.root.errorType = text(endReason);
  },
};

/** The types of the lines that a trace is made of; others may be left out. */
export const TRACED_TYPES: readonly string[] = ['call.created', ...Object.keys(LINES)];

/**
 * The trace of one call, from the lines of its journal in their order. The same lines give the same spans, whoever reads
 * them and whenever.
 */
export class CallTrace {
  readonly #about: AboutCall;
  #state: TraceState | undefined;
  #lastAt = 0;

  constructor(about: AboutCall = {}) {
    this.#about = about;
  }

  add({ seq, at, type, data }: Pick<JournalLine, 'seq' | 'at' | 'type' | 'data'>): void {
    this.#lastAt = Math.max(this.#lastAt, at);
    if (!this.#state) {
      if (type === 'call.created') this.#state = new TraceState(data, this.#about);
    } else if (Object.hasOwn(LINES, type)) LINES[type]?.(this.#state, data, at, seq);
  }

  /** Empty if the lines do not begin with the call's beginning. */
  spans(): readonly CallSpan[] {
    return this.#state?.book.spans(this.#lastAt) ?? [];
  }
}

/** The spans of a whole journal. */
export function spansOf(lines: Iterable<JournalLine>, about: AboutCall = {}): readonly CallSpan[] {
  const trace = new CallTrace(about);
  for (const line of lines) trace.add(line);
  return trace.spans();
}
