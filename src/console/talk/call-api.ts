import type { Call, ConnectInput } from '../../client/api.generated.ts';
import type { Client } from '../../client/client.ts';

/** Whom a call is with: a stored assistant, or one that is written into the request. */
export type CallTarget = Pick<
  ConnectInput,
  'assistantId' | 'assistantVersion' | 'assistant' | 'assistantOverrides'
>;

/** The service operations that the call page needs. */
export class CallApi {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Starts a call; resolves with the URL of its media socket. */
  async connect(target: CallTarget): Promise<URL> {
    const { webCall } = await this.#client.call('connectCall', {
      body: { direction: 'inbound', ...target },
    });
    if (!webCall) throw new Error('the service gave no media socket');
    // Use the page's own host: it is reachable, and the content security policy allows no other.
    const url = new URL(new URL(webCall.url).pathname, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return url;
  }

  getCall(id: string): Promise<Call> {
    return this.#client.call('getCall', { path: { id } });
  }
}
