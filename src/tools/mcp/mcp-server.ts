import type { ToolConfig } from '../../contract/tool.ts';
import type { OutboundFetch, OutboundResponse } from '../../lib/guarded-fetch.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { signWebhook } from '../../lib/sign-webhook.ts';
import type { Clock } from '../../ports/clock.ts';
import { requestHeaders } from '../function-tool/function-tool.ts';
import {
  chosenVersion,
  EventReader,
  INITIALIZED,
  McpError,
  nextCursor,
  PROTOCOL_VERSION,
  resultIn,
  rpcRequest,
  type ServerTool,
  toolsIn,
} from './protocol.ts';

export interface McpServerDeps {
  readonly clock: Clock;
  readonly fetch: OutboundFetch;
  readonly maxResponseBytes: number;
  /** The team that owns the tool. */
  readonly team: string;
}

/** A server lists no more tools than this; the rest is not offered. */
const MAX_TOOLS = 64;
const MAX_PAGES = 8;
const SESSION = 'mcp-session-id';

interface Connected {
  readonly version: string;
  readonly session: string | undefined;
}

/**
 * A server of the Model Context Protocol, over streamable HTTP. Methods reject with {@link McpError}, OutboundError or
 * AbortError. Nothing is kept open: a session is a header, which the server forgets by itself.
 */
export class McpServer {
  readonly #server: ToolConfig['server'];
  readonly #deps: McpServerDeps;
  #connected: Connected | undefined;
  #lastId = 0;

  constructor(server: ToolConfig['server'], deps: McpServerDeps) {
    this.#server = server;
    this.#deps = deps;
  }

  async list(signal: AbortSignal): Promise<readonly ServerTool[]> {
    const tools: ServerTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await this.#ask('tools/list', params, signal);
      tools.push(...toolsIn(result));
      cursor = nextCursor(result);
      if (cursor === undefined) break;
    }
    return tools.slice(0, MAX_TOOLS);
  }

  /** Calls a tool once; resolves with its result. `id` tells the server which call it is, should it come again. */
  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    { id, signal }: { readonly id: string; readonly signal: AbortSignal },
  ) {
    const params = { name, arguments: args };
    return this.#ask('tools/call', params, signal, { 'idempotency-key': id });
  }

  async #ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const known = this.#connected !== undefined;
    this.#connected ??= await this.#connect(signal);
    try {
      return await this.#request(method, params, signal, headers);
    } catch (error) {
      // A server that has forgotten the session has not done what it was asked.
      const isForgotten = known && error instanceof McpError && error.code === 'http_404';
      if (!isForgotten) throw error;
      this.#connected = await this.#connect(signal);
      return this.#request(method, params, signal, headers);
    }
  }

  async #connect(signal: AbortSignal): Promise<Connected> {
    this.#connected = undefined;
    const id = ++this.#lastId;
    const params = {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: 'parley', version: '1.1.0' },
    };
    const response = await this.#send(rpcRequest(id, 'initialize', params), signal);
    const version = chosenVersion(await readResult(response, id));
    const connected = { version, session: response.headers[SESSION] };
    (await this.#send(INITIALIZED, signal, connectedHeaders(connected))).cancel();
    return connected;
  }

  async #request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>,
  ) {
    const id = ++this.#lastId;
    const sent = { ...headers, ...connectedHeaders(this.#connected) };
    return readResult(await this.#send(rpcRequest(id, method, params), signal, sent), id);
  }

  async #send(
    body: string,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<OutboundResponse> {
    const { clock, fetch, maxResponseBytes, team } = this.#deps;
    const id = headers['idempotency-key'] ?? uuidv7();
    const timestampSeconds = Math.round(clock.now()) / 1000;
    const response = await fetch(this.#server.url, {
      method: 'POST',
      headers: requestHeaders(this.#server, {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'user-agent': 'Parley',
        ...headers,
        ...signWebhook({ id, timestampSeconds, body, secret: this.#server.secret }),
      }),
      body,
      maxResponseBytes,
      team,
      signal,
    });
    if (response.status >= 200 && response.status <= 299) return response;
    response.cancel();
    const { status } = response;
    throw new McpError(`http_${status}`, `the server answered with status ${status}`);
  }
}

const connectedHeaders = (connected: Connected | undefined): Record<string, string> => ({
  ...(connected ? { 'mcp-protocol-version': connected.version } : {}),
  ...(connected?.session === undefined ? {} : { [SESSION]: connected.session }),
});

/** Reads until the answer to the request `id` is there, as JSON or in a stream of events. */
async function readResult(response: OutboundResponse, id: number) {
  const isStream = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
  const events = new EventReader();
  const decoder = new TextDecoder();
  let text = '';
  const found = (messages: readonly string[]) => {
    for (const message of messages) {
      const result = resultIn(message, id);
      if (result) return result;
    }
    return undefined;
  };
  try {
    for await (const chunk of response.body) {
      const part = decoder.decode(chunk, { stream: true });
      if (!isStream) text += part;
      const result = isStream ? found(events.push(part)) : undefined;
      if (result) return result;
    }
    const result = found(isStream ? events.end() : [text]);
    if (result) return result;
  } finally {
    response.cancel();
  }
  throw new McpError('bad_answer', 'the server ended its answer without a result');
}
