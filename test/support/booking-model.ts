import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { type LocalServer, startLocalServer } from './local-server.ts';

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export interface BookingModel extends LocalServer {
  /** The contexts of all requests. */
  readonly asked: readonly ChatRequest['messages'][];
}

/** A model server: asks for the tool on every turn of the caller, talks about its result, judges calls. */
export async function startBookingModel(toolName: string, host?: string): Promise<BookingModel> {
  let toolCalls = 0;
  const asked: ChatRequest['messages'][] = [];
  const server = await startLocalServer((request, response) => {
    json(request).then(
      (body) => {
        const { messages } = body as ChatRequest;
        asked.push(messages);
        const { role, content } = messages.at(-1) ?? { role: '', content: '' };
        if (
          content.startsWith("The assistant's instructions were") ||
          content.startsWith('The transcript')
        )
          return answer(response, { content: verdictFor(messages[0]?.content ?? '') });
        if (role === 'tool') return answer(response, { content: 'It is booked.' });
        const id = `call_${++toolCalls}`;
        const call = { index: 0, id, type: 'function' };
        return answer(response, {
          tool_calls: [{ ...call, function: { name: toolName, arguments: '{"slot":"ten"}' } }],
        });
      },
      () => response.destroy(),
    );
  }, host);
  return { ...server, asked };
}

const verdictFor = (task: string) =>
  task.includes('JSON Schema') ? '{"passed":true}' : 'The caller booked a slot.';

function answer(response: ServerResponse, delta: Readonly<Record<string, unknown>>): void {
  const reason = 'tool_calls' in delta ? 'tool_calls' : 'stop';
  const chunk = (choice: object) => {
    const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'test' };
    response.write(`data: ${JSON.stringify({ ...head, choices: [{ index: 0, ...choice }] })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  chunk({ delta: { role: 'assistant', ...delta }, finish_reason: null });
  chunk({ delta: {}, finish_reason: reason });
  response.end('data: [DONE]\n\n');
}
