import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { AssistantTest } from '../../contract/assistant-test.ts';
import { systemClock } from '../../lib/system-clock.ts';
import type { LlmMessage, LlmTool } from '../../ports/llm.ts';
import { createOfflineLlm } from '../../providers/offline/llm/adapter.ts';
import { scriptedModel } from '../../testing/scripted-model.ts';
import { withBriefing } from '../../testing/spoken/briefing-model.ts';
import { type TimedOutcome, type ToolUse, testTools } from '../../testing/test-tools.ts';

/** One call as its scripts see it. */
export interface ScriptedCall {
  readonly test: AssistantTest;
  readonly problems: string[];
  readonly notes: Set<string>;
}

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Plays the model and the servers of tools for the service that is tested, on a free port of this machine. Each call has
 * its own address, so that each test has its own rules.
 */
export class ScriptServer implements AsyncDisposable {
  readonly #calls = new Map<string, ScriptedCall>();
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy());
  });

  static async start(): Promise<ScriptServer> {
    const scripts = new ScriptServer();
    await new Promise<void>((resolve) => scripts.#server.listen(0, '127.0.0.1', resolve));
    return scripts;
  }

  /** Takes the scripts of a call; resolves the address of its model by the call's own key. */
  add(key: string, call: ScriptedCall): { readonly modelUrl: string } {
    this.#calls.set(key, call);
    return { modelUrl: `${this.#url}/models/${key}/v1` };
  }

  /** The call of this telephone number has the scripts of this key: it has no metadata to tell it by. */
  nameCaller(number: string, key: string): void {
    const call = this.#calls.get(key);
    if (call) this.#calls.set(number, call);
  }

  /** Where a tool is answered. The service says for which call. */
  get toolUrl(): string {
    return `${this.#url}/tools`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get #url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await bodyOf(request)) as Readonly<Record<string, unknown>>;
    const [, kind, key = ''] = (request.url ?? '').split('/');
    if (kind === 'tools') return this.#answerTool(body as unknown as ToolBody, response);
    const call = this.#calls.get(key);
    if (!call) return void response.writeHead(404).end();
    await answerModel(call, body as unknown as ChatBody, response);
  }

  async #answerTool({ message }: ToolBody, response: ServerResponse): Promise<void> {
    const { metadata, customer } = message.call;
    const call = this.#calls.get(String(metadata?.spokenTest ?? customer?.number));
    const [asked] = message.toolCallList;
    if (!call || !asked) return void response.writeHead(404).end();
    const { outcome, afterMs } = await toolOf(call, asked);
    const answer = outcome.ok
      ? { toolCallId: asked.id, result: outcome.result }
      : { toolCallId: asked.id, error: outcome.error };
    const spoken = outcome.message === undefined ? {} : { message: outcome.message };
    await delay(afterMs);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ results: [{ ...answer, ...spoken }] }));
  }
}

interface ToolBody {
  readonly message: {
    readonly call: {
      readonly metadata?: Readonly<Record<string, unknown>>;
      readonly customer?: { readonly number?: string };
    };
    readonly toolCallList: readonly {
      readonly id: string;
      readonly name: string;
      readonly parameters: ToolUse['arguments'];
    }[];
  };
}

function toolOf(
  { test, problems }: ScriptedCall,
  { id, name, parameters }: ToolBody['message']['toolCallList'][number],
): Promise<TimedOutcome> {
  const answer = testTools({
    tools: test.tools,
    run: async () => ({ ok: false, error: 'the tool is not available' }),
    stopwatch: () => performance.now(),
    onUnanswered: (problem) => problems.push(problem),
  });
  if (test.tools[name] === 'server')
    problems.push(`spoken tests do not ask the server of ${name}: write what it answers`);
  return answer({
    callId: '',
    toolCallId: id,
    name,
    arguments: parameters,
    signal: new AbortController().signal,
  });
}

interface ChatBody {
  readonly messages: readonly {
    readonly role: LlmMessage['role'];
    readonly content?: string | null;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  }[];
  readonly tools?: readonly { readonly function: LlmTool }[];
  readonly tool_choice?: unknown;
}

async function answerModel(
  { test, notes }: ScriptedCall,
  { messages, tools = [], tool_choice }: ChatBody,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish_reason: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    );
  const scripted = scriptedModel(test.model ?? [], (heard) =>
    notes.add(`no rule of the scripted model fits “${heard}”`),
  );
  const model = withBriefing(scripted, () =>
    createOfflineLlm({ clock: systemClock, createId: randomUUID }),
  );
  const request = {
    messages: messages.map(
      ({ role, content, tool_call_id, tool_calls }) =>
        ({
          role,
          content: content ?? '',
          ...(tool_call_id === undefined ? {} : { toolCallId: tool_call_id }),
          ...(tool_calls
            ? {
                toolCalls: tool_calls.map(({ id, function: called }) => ({
                  id,
                  name: called.name,
                  arguments: called.arguments,
                })),
              }
            : {}),
        }) as LlmMessage,
    ),
    tools: tools.map(({ function: tool }) => tool),
    ...(tool_choice === 'none' ? { toolChoice: 'none' as const } : {}),
    signal: new AbortController().signal,
  };
  for await (const part of model.stream(request)) {
    if (part.type === 'text') send({ role: 'assistant', content: part.text });
    else if (part.type === 'tool-call') {
      const { name, arguments: args } = part.call;
      const id = `call-${messages.length}`;
      send({
        tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: args } }],
      });
    } else send({}, part.reason === 'tool-calls' ? 'tool_calls' : 'stop');
  }
  response.end('data: [DONE]\n\n');
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) throw new Error('the request is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
