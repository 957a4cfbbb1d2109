import type { Call } from '../../client/api.generated.ts';
import type { Client } from '../../client/client.ts';

/** What the page of a call needs of the service. */
export class CallApi {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Starts a call; resolves with the address of its media socket. */
  async connect(assistantId: string): Promise<URL> {
    const { webCall } = await this.#client.call('connectCall', {
      body: { direction: 'inbound', assistantId },
    });
    if (!webCall) throw new Error('the service gave no media socket');
    // The page's own host is known to be reachable, and the only one its policy allows.
    const url = new URL(new URL(webCall.url).pathname, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return url;
  }

  getCall(id: string): Promise<Call> {
    return this.#client.call('getCall', { path: { id } });
  }
}
