// @ts-check
import { ApiError, Client } from '../client/browser.generated.js';

export { ApiError };

const TIMEOUT_MS = 15_000;

/**
 * @typedef {import('../client/api.generated.ts').Assistant} Assistant
 * @typedef {import('../client/api.generated.ts').Call} Call
 * @typedef {import('../client/api.generated.ts').TurnMetrics} TurnMetrics
 */

/** The service did not answer. */
export class UnreachableError extends Error {
  /** @override */ name = 'UnreachableError';
}

/** The REST operations the console needs. */
export class Api {
  /** @type {import('../client/client.ts').Client} */ #client;
  // The console may stand under a path of a larger site.
  #base = new URL('../', import.meta.url);

  /** @param {string} apiKey */
  constructor(apiKey) {
    /** @type {import('../client/client.ts').ClientOptions} */
    const options = {
      baseUrl: this.#base.href,
      apiKey,
      timeoutMs: TIMEOUT_MS,
      fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
    };
    // The same client; only its source has types.
    this.#client = /** @type {any} */ (new Client(options));
  }

  /** @returns {Promise<Assistant[]>} */
  async listAssistants() {
    return [...(await reached(this.#client.call('listAssistants')))];
  }

  /**
   * Starts a call; resolves with the address of its media socket.
   * @param {string} assistantId
   */
  async connect(assistantId) {
    const body = { direction: /** @type {const} */ ('inbound'), assistantId };
    const { webCall } = await reached(this.#client.call('connectCall', { body }));
    // The page's own host is known to be reachable, and the only one its policy allows.
    const url = new URL(new URL(webCall?.url ?? '').pathname, this.#base);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return url;
  }

  /**
   * @param {string} id
   * @returns {Promise<Call>}
   */
  getCall(id) {
    return reached(this.#client.call('getCall', { path: { id } }));
  }
}

/**
 * @template T
 * @param {Promise<T>} answer
 * @returns {Promise<T>}
 */
function reached(answer) {
  return answer.catch((error) => {
    if (error instanceof ApiError) throw error;
    throw new UnreachableError('The service does not answer.', { cause: error });
  });
}
