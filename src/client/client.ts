import { type Operations, operations } from './api.generated.ts';
import { ApiError } from './api-error.ts';
import { ITEMS_PER_PAGE, type Item, type ListId, nextCursor } from './lists.ts';

export type OperationId = keyof Operations;
type Response_<K extends OperationId> = Operations[K] extends { response: infer R } ? R : never;
type Request_<K extends OperationId> = Omit<Operations[K], 'response'> & CallOptions;
/** The request may be left out if none of its parts is required. */
type Arguments<K extends OperationId> =
  Record<never, never> extends Request_<K> ? [request?: Request_<K>] : [request: Request_<K>];

/** Options that every request accepts. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Entity tag of the version that was read; the change is refused if the resource has changed since. */
  readonly ifMatch?: string;
  /** @defaultValue a random key if the operation creates something */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Deadline of one attempt, reading the response included. @defaultValue the client's */
  readonly timeoutMs?: number;
}

export interface ClientOptions {
  /** Address of the service. */
  readonly baseUrl: string;
  /** Absent: requests are those of a browser's session, whose cookie comes along by itself. */
  readonly apiKey?: string;
  /** Deadline of one attempt, reading the response included. @defaultValue 30000 */
  readonly timeoutMs?: number;
  /** How often a repeatable request is retried. @defaultValue 2 */
  readonly maxRetries?: number;
  /** @defaultValue the global `fetch` */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** @defaultValue waits on a timer */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** An operation's route, as `#send` needs it. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly idempotent: boolean;
}

interface Parts extends CallOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const RETRIED = new Set([429, 502, 503, 504]);
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const CALLS_PER_PAGE = 100;

/**
 * The service's API, typed by its contract. Requests that are safe to repeat are retried after a pause when the service
 * is busy or unreachable; those that create something carry an idempotency key, which makes them safe.
 */
export class Client {
  readonly #options: Required<Omit<ClientOptions, 'apiKey'>> & Pick<ClientOptions, 'apiKey'>;

  constructor(options: ClientOptions) {
    this.#options = {
      timeoutMs: 30_000,
      maxRetries: 2,
      fetch: (url, init) => fetch(url, init),
      wait: waitFor,
      ...options,
      baseUrl: options.baseUrl.replace(/(?<!\/)\/+$/, ''),
    };
  }

  /** Runs an operation and resolves with its parsed JSON response; rejects with {@link ApiError}. */
  async call<K extends OperationId>(id: K, ...[request]: Arguments<K>): Promise<Response_<K>> {
    const response = await this.#send(operations[id], (request ?? {}) as Parts);
    return (await response.json()) as Response_<K>;
  }

  /**
   * Runs an operation and resolves with the raw response (bytes, text or a stream, with headers); rejects with {@link
   * ApiError}.
   */
  async open<K extends OperationId>(id: K, ...[request]: Arguments<K>): Promise<Response> {
    return this.#send(operations[id], (request ?? {}) as Parts);
  }

  /**
   * The items of a list, in order, one page of them at a time as they are iterated; `request` says which. Rejects with
   * {@link ApiError}.
   */
  async *list<K extends ListId>(
    id: K,
    ...[request]: Arguments<K>
  ): AsyncGenerator<Item<K>, void, undefined> {
    const parts: Parts = request ?? {};
    let cursor: string | undefined;
    do {
      const query = {
        limit: ITEMS_PER_PAGE,
        ...parts.query,
        ...(cursor === undefined ? {} : { cursor }),
      };
      const response = await this.#send(operations[id], { ...parts, query });
      yield* (await response.json()) as readonly Item<K>[];
      cursor = nextCursor(response.headers.get('link'));
    } while (cursor !== undefined);
  }

  /** The calls that match, in the order that `query` asks for, newest first, one page of them at a time. */
  async *calls(
    query: Omit<NonNullable<Operations['listCalls']['query']>, 'page' | 'size'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<Operations['listCalls']['response']['conversations'][number], void, undefined> {
    // A call that begins meanwhile moves the others on: those of the page before may come again.
    let before = new Set<string>();
    for (let page = 1; ; page++) {
      const request = { ...options, query: { ...query, page, size: CALLS_PER_PAGE } };
      const { conversations } = await this.call('listCalls', request);
      yield* conversations.filter(({ id }) => !before.has(id));
      if (conversations.length < CALLS_PER_PAGE) return;
      before = new Set(conversations.map(({ id }) => id));
    }
  }

  async #send(route: Route, parts: Parts): Promise<Response> {
    const key = parts.idempotencyKey ?? (route.idempotent ? crypto.randomUUID() : undefined);
    const repeatable = route.method === 'GET' || key !== undefined;
    const url = `${this.#options.baseUrl}${addressOf(route.path, parts)}`;
    const init = this.#requestInit(route, parts, key);
    for (let attempt = 0; ; attempt++) {
      const last = !repeatable || attempt >= this.#options.maxRetries;
      try {
        const response = await this.#options.fetch(url, this.#withDeadline(init, parts));
        if (response.ok) return response;
        const error = new ApiError(response, await response.text());
        if (last || !isPassing(error)) throw error;
        await this.#options.wait(pauseMs(attempt, error), parts.signal);
      } catch (error) {
        if (last || parts.signal?.aborted || error instanceof ApiError) throw error;
        await this.#options.wait(pauseMs(attempt), parts.signal);
      }
    }
  }

  #requestInit({ method }: Route, parts: Parts, key: string | undefined): RequestInit {
    const { body, ifMatch, headers } = parts;
    return {
      method,
      headers: {
        ...this.#credential(),
        ...(body === undefined || body instanceof FormData
          ? {}
          : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    };
  }

  /** A session counts only beside this header, which pages of other sites cannot send. */
  #credential(): Record<string, string> {
    const { apiKey } = this.#options;
    return apiKey === undefined
      ? { 'x-parley-console': '1' }
      : { authorization: `Bearer ${apiKey}` };
  }

  #withDeadline(init: RequestInit, { signal, timeoutMs }: CallOptions): RequestInit {
    const deadline = AbortSignal.timeout(timeoutMs ?? this.#options.timeoutMs);
    return { ...init, signal: signal ? AbortSignal.any([signal, deadline]) : deadline };
  }
}

function addressOf(path: string, { path: names = {}, query = {} }: Parts): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(names[name] ?? ''),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? address : `${address}?${search}`;
}

/** True if a retry may succeed: the service is busy, or still works on the same idempotent request. */
function isPassing({ status, retryAfterSeconds }: ApiError): boolean {
  return RETRIED.has(status) || (status === 409 && retryAfterSeconds !== undefined);
}

function pauseMs(attempt: number, error?: ApiError): number {
  const asked = error?.retryAfterSeconds;
  return Math.min(
    asked === undefined ? FIRST_PAUSE_MS * 2 ** attempt : asked * 1000,
    LONGEST_PAUSE_MS,
  );
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
