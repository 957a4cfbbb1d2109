/** A tool call as scripted, and the manner in which its deltas come. */
interface ScriptedToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export type ToolStyle =
  | 'openai'
  | 'whole'
  | 'zero-index'
  | 'missing-index'
  | 'missing-id'
  | 'missing-both'
  | 'name-later'
  | 'repeated-id'
  | 'interleaved'
  | 'parsed-arguments';

/** One answer of the emulator. */
export interface ScriptedReply {
  /** Used for requests whose last user text it matches; absent: for any. */
  readonly match?: RegExp;
  /** Used for requests whose body it matches as well; absent: for any. */
  readonly about?: RegExp;
  /** Answer this often; @defaultValue for ever */
  readonly times?: number;
  /** Refuse instead of answering. A string body is sent as it is. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Content deltas, one each. */
  readonly deltas?: readonly string[];
  /** Extra fields of the deltas before the content, e.g. `reasoning_content`. */
  readonly before?: readonly Readonly<Record<string, unknown>>[];
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** @defaultValue `openai` */
  readonly toolStyle?: ToolStyle;
  /** Extra fields of each tool call, e.g. Gemini's `extra_content`. */
  readonly toolExtra?: Readonly<Record<string, unknown>>;
  /** @defaultValue by what was sent; null: none */
  readonly finishReason?: string | null;
  /** How the bytes are cut: whole events, single bytes, or pieces of a size. @defaultValue `events` */
  readonly split?: 'events' | 'bytes' | number;
  readonly lineEnd?: '\n' | '\r\n' | '\r';
  /** Before the first delta, ms. */
  readonly ttftMs?: number;
  /** Between deltas, ms. */
  readonly betweenMs?: number;
  /** `: keep-alive` comments before everything. */
  readonly comments?: number;
  /** First chunk without choices, as Azure sends it. */
  readonly azure?: boolean;
  /** Leave out `[DONE]`. */
  readonly noDone?: boolean;
  /** What goes wrong after `faultAfter` deltas. */
  readonly fault?: 'hang' | 'close' | 'reset' | 'error-chunk' | 'error-event' | 'bad-json';
  readonly faultAfter?: number;
  /** Sent verbatim instead of a stream. */
  readonly raw?: string;
}

export const USAGE = {
  prompt_tokens: 120,
  completion_tokens: 18,
  total_tokens: 138,
  prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
};

type Json = Record<string, unknown>;

function halves(text: string): [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

function toolDeltas(reply: ScriptedReply): Json[] {
  const calls = reply.toolCalls ?? [];
  const delta = (...fragments: Json[]): Json => ({ tool_calls: fragments });
  const whole = (call: ScriptedToolCall): Json => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
    ...reply.toolExtra,
  });
  switch (reply.toolStyle ?? 'openai') {
    case 'whole':
      return calls.map((call, index) => delta({ index, ...whole(call) }));
    case 'zero-index':
      return calls.map((call) => delta({ index: 0, ...whole(call) }));
    case 'missing-index':
      return calls.flatMap((call) => {
        const [a, b] = halves(call.arguments);
        const { id, type } = whole(call);
        return [
          delta({ id, type, function: { name: call.name, arguments: a } }),
          delta({ function: { arguments: b } }),
        ];
      });
    case 'missing-id':
      return calls.map((call, index) => delta({ index, ...whole(call), id: undefined }));
    case 'missing-both':
      return calls.map((call) => delta({ ...whole(call), id: undefined }));
    case 'name-later':
      return calls.flatMap((call, index) => [
        delta({ index, id: call.id, type: 'function', function: { arguments: '' } }),
        delta({ index, function: { name: call.name } }),
        delta({ index, function: { arguments: call.arguments } }),
      ]);
    case 'repeated-id':
      return calls.flatMap((call, index) =>
        halves(call.arguments).map((part) =>
          delta({ index, id: call.id, function: { name: call.name, arguments: part } }),
        ),
      );
    case 'interleaved':
      return [
        delta(
          ...calls.map((call, index) => ({
            index,
            id: call.id,
            function: { name: call.name, arguments: halves(call.arguments)[0] },
          })),
        ),
        ...calls.map((call, index) =>
          delta({ index, function: { arguments: halves(call.arguments)[1] } }),
        ),
      ];
    case 'parsed-arguments':
      return calls.map((call, index) =>
        delta({
          index,
          id: call.id,
          function: { name: call.name, arguments: JSON.parse(call.arguments) as Json },
        }),
      );
    default:
      return calls.flatMap((call, index) => [
        delta({
          index,
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: '' },
          ...reply.toolExtra,
        }),
        ...halves(call.arguments).map((part) => delta({ index, function: { arguments: part } })),
      ]);
  }
}

/** The deltas of a reply, in the order they go out. */
export function deltasOf(reply: ScriptedReply): Json[] {
  return [
    { role: 'assistant', content: '', refusal: null },
    ...(reply.before ?? []),
    ...(reply.deltas ?? []).map((content) => ({ content })),
    ...toolDeltas(reply),
  ];
}

/** The finish reason a real endpoint would give. */
export function finishReasonOf(reply: ScriptedReply): string | null {
  if (reply.finishReason !== undefined) return reply.finishReason;
  return reply.toolCalls?.length ? 'tool_calls' : 'stop';
}
