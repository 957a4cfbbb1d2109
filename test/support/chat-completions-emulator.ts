import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { type EmulatorProfile, refusalOf } from './chat-completions-rules.ts';
import { deltasOf, finishReasonOf, type ScriptedReply, USAGE } from './chat-completions-script.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';

type Json = Record<string, unknown>;

/** What the emulator saw of one request. */
interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The body as it came. */
  readonly raw: string;
  readonly body: Json;
  /** Resolves when the exchange is over; true: the client left before the answer was complete. */
  readonly disconnected: Promise<boolean>;
}

export interface ChatEmulatorOptions {
  /** @defaultValue `openai` */
  readonly profile?: EmulatorProfile;
  /** The key it takes; absent: any, or none. */
  readonly apiKey?: string;
  /** Its delays run on this clock. */
  readonly clock?: Clock;
}

export interface ChatEmulator extends AsyncDisposable {
  /** Ends in `/v1`, as SDKs take it. */
  readonly baseUrl: string;
  readonly requests: readonly RecordedRequest[];
  readonly connections: () => number;
  /** Adds replies; the first that matches and is not used up answers. */
  script(...replies: ScriptedReply[]): void;
  /** Resolves with the n-th request (from 0) when it has come. */
  request(n: number): Promise<RecordedRequest>;
}

/** A Chat Completions endpoint that behaves, and misbehaves, as scripted. */
export async function startChatEmulator(options: ChatEmulatorOptions = {}): Promise<ChatEmulator> {
  const emulator = new Emulator(options);
  return emulator.start();
}

class Emulator {
  readonly #options: ChatEmulatorOptions;
  readonly #clock: Clock;
  readonly #replies: { reply: ScriptedReply; left: number }[] = [];
  readonly #requests: RecordedRequest[] = [];
  readonly #waiting: (() => void)[] = [];
  #created = 0;

  constructor(options: ChatEmulatorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async start(): Promise<ChatEmulator> {
    const server: LocalServer = await startLocalServer((request, response) => {
      void this.#serve(request, response);
    });
    return {
      baseUrl: `${server.url}/v1`,
      requests: this.#requests,
      connections: server.connections,
      script: (...replies) => {
        for (const reply of replies)
          this.#replies.push({ reply, left: reply.times ?? Number.POSITIVE_INFINITY });
      },
      request: async (n) => {
        while (this.#requests.length <= n)
          await new Promise<void>((resolve) => this.#waiting.push(resolve));
        return this.#requests[n] as RecordedRequest;
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString();
    if (request.method === 'GET' && request.url?.endsWith('/models')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'small' }, { id: 'large' }] }));
      return;
    }
    let body: Json;
    try {
      body = JSON.parse(raw) as Json;
    } catch {
      return sendError(response, 400, 'We could not parse the JSON body of your request.', null);
    }
    this.#requests.push({
      path: request.url ?? '',
      headers: request.headers,
      raw,
      body,
      disconnected: new Promise((resolve) =>
        response.once('close', () => resolve(!response.writableFinished)),
      ),
    });
    for (const resolve of this.#waiting.splice(0)) resolve();
    if (request.method !== 'POST' || !request.url?.split('?')[0]?.endsWith('/chat/completions'))
      return sendError(response, 404, `Invalid URL (${request.method} ${request.url})`, null);
    const { apiKey } = this.#options;
    if (apiKey !== undefined && !presents(request, apiKey)) {
      const given = request.headers.authorization?.slice(7) ?? '';
      const message = `Incorrect API key provided: ${given.slice(0, 8)}****${given.slice(-4)}.`;
      return sendError(response, 401, message, 'invalid_api_key');
    }
    const refusal = refusalOf(body, this.#options.profile ?? 'openai');
    if (refusal)
      return sendError(response, refusal.status, refusal.message, refusal.code, refusal.param);
    await this.#answer(this.#replyTo(body, raw), body, response);
  }

  #replyTo(body: Json, raw: string): ScriptedReply {
    const said = (body.messages as Json[]).findLast((message) => message.role === 'user')?.content;
    const entry = this.#replies.find(
      ({ reply, left }) =>
        left > 0 &&
        (reply.match?.test(String(said ?? '')) ?? true) &&
        (reply.about?.test(raw) ?? true),
    );
    if (!entry) return { status: 500, body: { error: { message: 'nothing scripted' } } };
    entry.left--;
    return entry.reply;
  }

  async #answer(reply: ScriptedReply, body: Json, response: ServerResponse): Promise<void> {
    if (reply.status !== undefined) {
      const isText = typeof reply.body === 'string';
      response.writeHead(reply.status, {
        'content-type': isText ? 'text/html' : 'application/json',
        ...reply.headers,
      });
      response.end(isText ? reply.body : JSON.stringify(reply.body ?? {}));
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      ...reply.headers,
    });
    if (reply.raw !== undefined) {
      response.end(reply.raw);
      return;
    }
    await this.#stream(reply, body, new EventWriter(response, reply));
  }

  async #stream(reply: ScriptedReply, body: Json, out: EventWriter): Promise<void> {
    const usageAsked =
      (body.stream_options as Json | undefined)?.include_usage === true ? { usage: null } : {};
    const frame = {
      id: `chatcmpl-${++this.#created}`,
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: `${body.model}-2025-04-14`,
    };
    const chunk = (delta: Json, finish_reason: string | null = null): Json => ({
      ...frame,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...usageAsked,
      ...(reply.azure ? {} : { obfuscation: 'x9' }),
    });
    for (let i = 0; i < (reply.comments ?? 0); i++) await out.comment('keep-alive');
    if (reply.azure) await out.data({ ...frame, choices: [], prompt_filter_results: [] });
    await this.#wait(reply.ttftMs);
    for (const [i, delta] of deltasOf(reply).entries()) {
      if (reply.fault && i === (reply.faultAfter ?? 1) + 1) return this.#fail(reply.fault, out);
      if (i > 1) await this.#wait(reply.betweenMs);
      await out.data(chunk(delta));
    }
    if (reply.fault) return this.#fail(reply.fault, out);
    const reason = finishReasonOf(reply);
    if (reason !== null) await out.data(chunk({}, reason));
    if ('usage' in usageAsked) await out.data({ ...frame, choices: [], usage: USAGE });
    if (!reply.noDone) await out.event('data: [DONE]');
    out.end();
  }

  async #fail(fault: NonNullable<ScriptedReply['fault']>, out: EventWriter): Promise<void> {
    const error = { message: 'The server had an error', type: 'server_error', code: null };
    switch (fault) {
      case 'hang':
        return;
      case 'close':
        return out.end();
      case 'reset':
        return out.reset();
      case 'error-chunk':
        await out.data({ error });
        return out.end();
      case 'error-event':
        await out.event(`event: error\ndata: ${JSON.stringify(error)}`);
        return out.end();
      case 'bad-json':
        await out.event('data: {"choices":[');
        return out.end();
    }
  }

  #wait(delayMs = 0): Promise<void> {
    if (delayMs === 0) return Promise.resolve();
    return new Promise((resolve) => this.#clock.setTimeout(resolve, delayMs));
  }
}

function presents(request: IncomingMessage, apiKey: string): boolean {
  return (
    request.headers.authorization === `Bearer ${apiKey}` || request.headers['api-key'] === apiKey
  );
}

function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  code: string | null,
  param: string | null = null,
): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', param, code } }));
}

/** Writes events in the pieces the script asks for. */
class EventWriter {
  readonly #response: ServerResponse;
  readonly #split: NonNullable<ScriptedReply['split']>;
  readonly #lineEnd: string;

  constructor(response: ServerResponse, reply: ScriptedReply) {
    this.#response = response;
    this.#split = reply.split ?? 'events';
    this.#lineEnd = reply.lineEnd ?? '\n';
  }

  data(value: Json): Promise<void> {
    return this.event(`data: ${JSON.stringify(value)}`);
  }

  comment(text: string): Promise<void> {
    return this.event(`: ${text}`);
  }

  async event(lines: string): Promise<void> {
    const bytes = Buffer.from(`${lines}\n\n`.replaceAll('\n', this.#lineEnd));
    const size =
      this.#split === 'events' ? bytes.length : this.#split === 'bytes' ? 1 : this.#split;
    for (let at = 0; at < bytes.length && !this.#response.destroyed; at += size) {
      // Waiting for each piece to leave keeps the pieces apart on the wire.
      await new Promise<void>((resolve) =>
        this.#response.write(bytes.subarray(at, at + size), () => resolve()),
      );
    }
  }

  end(): void {
    this.#response.end();
  }

  reset(): void {
    this.#response.socket?.resetAndDestroy();
  }
}
