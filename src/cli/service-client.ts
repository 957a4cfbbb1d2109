import type { Call, ConnectedCall } from '../contract/call.ts';
import { CliError } from './cli-error.ts';

const TIMEOUT_MS = 15_000;

/** The few operations of the REST API that the commands use. */
export class ServiceClient {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  listAssistants(): Promise<readonly { readonly _id: string; readonly name: string }[]> {
    return this.#json('GET', '/assistants/v1/assistants');
  }

  getAssistant(id: string): Promise<{ readonly _id: string; readonly name: string }> {
    return this.#json('GET', `/assistants/v1/assistants/${encodeURIComponent(id)}`);
  }

  createAssistant(config: object): Promise<{ readonly _id: string; readonly name: string }> {
    return this.#json('POST', '/assistants/v1/assistants', config);
  }

  async deleteAssistant(id: string): Promise<void> {
    await this.#json('DELETE', `/assistants/v1/assistants/${encodeURIComponent(id)}`);
  }

  createKnowledgeBase(title: string): Promise<{ readonly id: string }> {
    return this.#json('POST', '/kb/v1/knowledge-bases', { title });
  }

  async addFaq(knowledgeBaseId: string, faq: readonly unknown[]): Promise<void> {
    await this.#json('POST', `/kb/v1/knowledge-bases/${knowledgeBaseId}/faq-template`, { faq });
  }

  async deleteKnowledgeBase(id: string): Promise<void> {
    await this.#json('DELETE', `/kb/v1/knowledge-bases/${id}`);
  }

  connect(assistantId: string): Promise<ConnectedCall> {
    const body = { direction: 'inbound', assistantId };
    return this.#json('POST', '/calls/v1/conversations/connect', body);
  }

  getCall(id: string): Promise<Call> {
    return this.#json('GET', `/calls/v1/conversations/${id}`);
  }

  async getTranscript(id: string): Promise<string> {
    const answer = await this.#request(
      'GET',
      `/calls/v1/conversations/${id}/transcript?format=text`,
    );
    return answer.text();
  }

  async getEvents(id: string): Promise<string> {
    return (await this.#request('GET', `/calls/v1/conversations/${id}/events`)).text();
  }

  async getRecording(id: string): Promise<Uint8Array> {
    const answer = await this.#request('GET', `/calls/v1/conversations/${id}/recording`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T> {
    return (await (await this.#request(method, path, body)).json()) as T;
  }

  async #request(method: string, path: string, body?: unknown): Promise<Response> {
    const answer = await this.#fetch(method, path, body);
    if (answer.ok) return answer;
    throw new CliError(
      `${method} ${path.split('?')[0]}: ${answer.status} ${await reasonOf(answer)}`,
    );
  }

  async #fetch(method: string, path: string, body: unknown): Promise<Response> {
    try {
      return await fetch(`${this.#url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      const { name, cause, message } = error as Error;
      if (name === 'TimeoutError') throw new CliError(`${this.#url} did not answer in time`);
      const reason = cause instanceof Error ? cause.message : message;
      throw new CliError(`${this.#url} cannot be reached: ${reason}`);
    }
  }
}

async function reasonOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { message, detail } = JSON.parse(text) as Record<string, unknown>;
    const reason = message ?? (detail as { message?: unknown } | undefined)?.message ?? detail;
    return typeof reason === 'string' ? reason : text;
  } catch {
    return text.slice(0, 200);
  }
}
