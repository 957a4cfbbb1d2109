import type { ServerResponse } from 'node:http';
import { replyTokens, TOKEN_EVERY_MS } from './vendor-script.ts';

let replies = 0;

/** A model in OpenAI's words: the first sentence at once, the rest token by token. */
export function answer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  stream(response, replyTokens(replies++), 0);
}

function stream(response: ServerResponse, tokens: readonly string[], from: number): void {
  let saidSentence = tokens.slice(0, from).some((token) => token.endsWith('.'));
  for (let n = from; n < tokens.length; n++) {
    if (response.destroyed) return;
    if (saidSentence && n > from) {
      setTimeout(() => stream(response, tokens, n), TOKEN_EVERY_MS);
      return;
    }
    const token = tokens[n] as string;
    saidSentence ||= token.endsWith('.');
    write(response, { choices: [{ index: 0, delta: { content: token }, finish_reason: null }] });
  }
  const completion = tokens.length;
  write(response, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  write(response, {
    choices: [],
    usage: { prompt_tokens: 120, completion_tokens: completion, total_tokens: 120 + completion },
  });
  response.end('data: [DONE]\n\n');
}

function write(response: ServerResponse, what: object): void {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1 };
  response.write(`data: ${JSON.stringify({ ...head, model: 'gpt-4.1-mini', ...what })}\n\n`);
}
