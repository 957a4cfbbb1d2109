import { abortError, throwIfAborted } from '../../../lib/abort.ts';
import type { OutboundFetch, OutboundResponse } from '../../../lib/guarded-fetch.ts';
import type { JsonObject } from '../../../lib/json-frame.ts';
import { parseChatBody } from './chat-body.ts';
import { decideReply, type OfflineReply } from './reply.ts';

const DELTA_CHARS = 24;
const CHARS_PER_TOKEN = 4;

/** Pieces of about the size of a model's tokens, split between words. */
function deltasOf(text: string): string[] {
  return (
    text.match(new RegExp(`\\s*\\S{1,200}(?:\\s+\\S{1,200}){0,${DELTA_CHARS / 6}}`, 'g')) ?? []
  );
}

interface Completion {
  readonly chunks: readonly JsonObject[];
  readonly outputTokens: number;
}

function complete(reply: OfflineReply, maxTokens: number): Completion {
  const limitChars = maxTokens * CHARS_PER_TOKEN;
  const cut = reply.text.length > limitChars;
  const text = cut ? reply.text.slice(0, limitChars) : reply.text;
  const call = cut ? undefined : reply.toolCall;
  const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const toolDelta = call && {
    tool_calls: [
      {
        index: 0,
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      },
    ],
  };
  return {
    chunks: [
      chunk({ role: 'assistant', content: '' }),
      ...deltasOf(text).map((content) => chunk({ content })),
      ...(toolDelta ? [chunk(toolDelta)] : []),
      chunk({}, cut ? 'length' : call ? 'tool_calls' : 'stop'),
    ],
    outputTokens: Math.ceil(text.length / CHARS_PER_TOKEN),
  };
}

async function* encode(events: readonly string[], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (const event of events) {
    if (signal.aborted) throw abortError(signal);
    yield Buffer.from(`data: ${event}\n\n`);
  }
}

function answer(
  url: string,
  status: number,
  contentType: string,
  body: AsyncIterable<Uint8Array>,
): OutboundResponse {
  return { status, url, headers: { 'content-type': contentType }, body, cancel: () => {} };
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/**
 * A Chat Completions endpoint inside the process: the built-in responder uses the same protocol, client and code path
 * as any other model.
 */
export const offlineEndpoint: OutboundFetch = async (url, request) => {
  throwIfAborted(request.signal);
  const parsed = parseChatBody(typeof request.body === 'string' ? request.body : '');
  if (!parsed.ok) {
    const error = {
      message: parsed.message,
      type: 'invalid_request_error',
      param: null,
      code: null,
    };
    return answer(url, 400, 'application/json', once(JSON.stringify({ error })));
  }
  const { chunks, outputTokens } = complete(decideReply(parsed.conversation), parsed.maxTokens);
  const inputTokens = Math.ceil((request.body?.length ?? 0) / CHARS_PER_TOKEN);
  const usage = {
    choices: [],
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
  };
  const events = [...chunks, ...(parsed.includeUsage ? [usage] : [])].map((it) =>
    JSON.stringify(it),
  );
  return answer(url, 200, 'text/event-stream', encode([...events, '[DONE]'], request.signal));
};
