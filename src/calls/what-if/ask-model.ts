import { createReplySplitter } from '../../engine/reply/split-reply.ts';
import type { Llm, LlmRequest } from '../../ports/llm.ts';
import type { ModelPart } from '../../simulation/parts.ts';

interface AskedModel {
  readonly llm: Llm;
  readonly request: Pick<
    LlmRequest,
    'messages' | 'tools' | 'toolChoice' | 'temperature' | 'maxTokens' | 'team'
  >;
  /** The assistant's delimiter of replies. */
  readonly delimiter: string;
  readonly signal: AbortSignal;
}

/** As in a live call: a reply ends there as if the model had ended it. */
const MAX_REPLY_CHARS = 20_000;
const MAX_PARTS = 500;

/** Asks a model as a call would and cuts its answer into the same pieces; their times are the replay's to say. */
export async function askModel({
  llm,
  request,
  delimiter,
  signal,
}: AskedModel): Promise<readonly ModelPart[]> {
  const splitter = createReplySplitter(delimiter);
  const parts: ModelPart[] = [];
  const say = (pieces: readonly string[]) => {
    for (const text of pieces) parts.push({ afterMs: 0, type: 'text', text });
  };
  let characters = 0;
  let reason = 'stop';
  for await (const part of llm.stream({ ...request, signal })) {
    if (part.type === 'text') {
      characters += part.text.length;
      say(splitter.push(part.text));
    } else if (part.type === 'finish') reason = part.reason;
    else {
      say(splitter.flush());
      parts.push({ afterMs: 0, ...part.call, type: 'tool-call' });
    }
    if (characters > MAX_REPLY_CHARS || parts.length > MAX_PARTS) break;
  }
  say(splitter.flush());
  return [...parts, { afterMs: 0, type: 'done', reason }];
}
