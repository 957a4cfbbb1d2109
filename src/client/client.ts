import { type Operations, operations } from './api.generated.ts';
import { ApiError } from './api-error.ts';

type OperationId = keyof Operations;
type Response_<K extends OperationId> = Operations[K] extends { response: infer R } ? R : never;
type Request_<K extends OperationId> = Omit<Operations[K], 'response'> & CallOptions;
/** The request may be left out if none of its parts is required. */
type Arguments<K extends OperationId> =
  Record<never, never> extends Request_<K> ? [request?: Request_<K>] : [request: Request_<K>];

/** Options that every request accepts. */
interface CallOptions {
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
  readonly apiKey: string;
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

/**
 * The service's API, typed by its contract. Requests that are safe to repeat are retried after a pause when the service
 * is busy or unreachable; those that create something carry an idempotency key, which makes them safe.
 */
export class Client {
  readonly #options: Required<ClientOptions>;

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
        authorization: `Bearer ${this.#options.apiKey}`,
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
