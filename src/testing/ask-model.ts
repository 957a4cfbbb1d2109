import { createReplySplitter } from '../engine/reply/split-reply.ts';
import { parseToolArguments } from '../engine/tools/tool-call.ts';
import type { Llm, LlmToolCall } from '../ports/llm.ts';
import { toFailure } from '../session/failure.ts';
import type { ModelOptions } from '../session/outbound/responder.ts';
import type { CommandOf, ModelPart } from '../simulation/parts.ts';
import type { HostedTool } from '../tools/hosted-tool.ts';

interface Options {
  readonly llm: Llm;
  readonly options: ModelOptions;
  /** The assistant's delimiter of replies. */
  readonly delimiter: string;
  readonly tools: readonly HostedTool[];
  /** Wall clock, ms: how long a vendor took. */
  readonly stopwatch: () => number;
  readonly signal: AbortSignal;
  /** The model could not be asked. */
  readonly onFailed: (error: unknown) => void;
}

const ANSWER_MS = 60_000;
/** The models of this machine: their times are stated, so that a test takes the same time everywhere. */
const LOCAL = ['scripted', 'offline'];
export const LOCAL_FIRST_MS = 400;
const LOCAL_PIECE_MS = 40;

/** Asks a model for a whole reply. Rejects only with the signal. */
export function askModel({ llm, options, delimiter, tools, stopwatch, signal, onFailed }: Options) {
  const isLocal = LOCAL.includes(llm.provider);
  return async (request: CommandOf<'llm.start'>): Promise<readonly ModelPart[]> => {
    const { messages, tools: offered, toolChoice } = request;
    const pieces = createReplySplitter(delimiter);
    const parts: ModelPart[] = [];
    const began = stopwatch();
    const afterMs = () =>
      isLocal ? LOCAL_FIRST_MS + parts.length * LOCAL_PIECE_MS : Math.round(stopwatch() - began);
    const say = (texts: readonly string[]) => {
      for (const text of texts) parts.push({ type: 'text', text, afterMs: afterMs() });
    };
    const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    try {
      let reason = 'length';
      const asked = {
        messages,
        ...(offered.length > 0 ? { tools: offered, toolChoice } : {}),
        ...options,
        signal: within,
      };
      for await (const part of llm.stream(asked)) {
        if (part.type === 'text') say(pieces.push(part.text));
        else if (part.type === 'finish') reason = part.reason;
        else {
          say(pieces.flush());
          const { id, name, arguments: args } = part.call;
          const problem = await checkCall(part.call, tools, within);
          const wrong = problem === undefined ? {} : { problem };
          parts.push({
            type: 'tool-call',
            id,
            name,
            arguments: args,
            afterMs: afterMs(),
            ...wrong,
          });
        }
      }
      say(pieces.flush());
      parts.push({ type: 'done', reason, afterMs: afterMs() });
    } catch (error) {
      signal.throwIfAborted();
      onFailed(error);
      parts.push({ type: 'error', error: toFailure(error, llm.provider), afterMs: afterMs() });
    }
    return parts;
  };
}

/** Why the tool can't be called with these arguments, in words for the model. */
async function checkCall(
  call: LlmToolCall,
  tools: readonly HostedTool[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const args = parseToolArguments(call.arguments);
  const hosted = tools.find(({ tool }) => tool.definition.name === call.name);
  return args && hosted?.check(args, signal);
}
