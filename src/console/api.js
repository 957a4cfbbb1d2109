// @ts-check
const TIMEOUT_MS = 15_000;

/**
 * @typedef {{ _id: string, name: string, welcomeMessage: string }} Assistant
 * @typedef {{ turn: number, endpointMs?: number, recogniserMs?: number, modelMs?: number, voiceMs?: number, totalMs?: number }} TurnMetrics
 * @typedef {{ id: string, metrics: TurnMetrics[] }} Call
 */

/** The service refused a request, or did not answer it (status 0). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.name = 'ApiError';
    /** @readonly */
    this.status = status;
  }
}

/** The REST operations the console needs. */
export class Api {
  /** @type {string} */ #key;
  // The console may stand under a path of a larger site.
  #base = new URL('../', import.meta.url);

  /** @param {string} key */
  constructor(key) {
    this.#key = key;
  }

  /** @returns {Promise<Assistant[]>} */
  listAssistants() {
    return this.#request('GET', 'assistants/v1/assistants');
  }

  /**
   * Starts a call; resolves with the address of its media socket.
   * @param {string} assistantId
   */
  async connect(assistantId) {
    const body = { direction: 'inbound', assistantId };
    const { webCall } = await this.#request('POST', 'calls/v1/conversations/connect', body);
    // The page's own host is known to be reachable, and the only one its policy allows.
    const url = new URL(new URL(webCall.url).pathname, this.#base);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return url;
  }

  /**
   * @param {string} id
   * @returns {Promise<Call>}
   */
  getCall(id) {
    return this.#request('GET', `calls/v1/conversations/${id}`);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   */
  async #request(method, path, body) {
    const answer = await fetch(new URL(path, this.#base), {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      cache: 'no-store',
    }).catch(() => {
      throw new ApiError(0, 'The service does not answer.');
    });
    const json = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new ApiError(answer.status, json.message ?? answer.statusText);
    return json;
  }
}
