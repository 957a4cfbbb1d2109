import { abortError } from '../lib/abort.ts';
import { connectionProblem } from '../lib/connection-problem.ts';
import { ProviderError } from '../lib/errors.ts';
import { OutboundError } from '../lib/outbound-error.ts';
import { withoutEndSlashes } from '../lib/without-end-slashes.ts';
import type { CarrierName } from '../ports/carrier.ts';
import type { Clock } from '../ports/clock.ts';
import type { FailureClass } from '../ports/provider-failure.ts';

/** The outside services that the adapters use. */
export interface CarrierHttpOptions {
  readonly carrier: CarrierName;
  readonly baseUrl: string;
  /** Value of the `authorization` header. */
  readonly authorization: string;
  readonly clock: Clock;
  /** @defaultValue the platform's */
  readonly fetch?: typeof fetch;
  /** @defaultValue 10000 */
  readonly deadlineMs?: number;
  /** Reads the carrier's error code and message from an error answer. */
  readonly explain: (body: unknown) => { readonly code?: string; readonly message?: string };
}

export interface CarrierHttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, query included. */
  readonly path: string;
  readonly form?: readonly (readonly [string, string])[];
  readonly json?: unknown;
  readonly signal: AbortSignal;
  /** Retried once after a network failure; only for requests that may safely be repeated. */
  readonly repeatable?: boolean;
}

const DEADLINE_MS = 10_000;
const MAX_RESPONSE_CHARS = 4 * 1024 * 1024;

/** A carrier's REST interface: one deadline a request, every failure a ProviderError without a secret in it. */
export class CarrierHttp {
  readonly #options: CarrierHttpOptions;
  readonly #fetch: typeof fetch;

  constructor(options: CarrierHttpOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? fetch;
  }

  /** The parsed body of a 2xx answer; undefined for an empty one. */
  async request(request: CarrierHttpRequest): Promise<unknown> {
    try {
      return await this.#once(request);
    } catch (error) {
      const again = request.repeatable && error instanceof ProviderError && mayPass(error);
      if (!again || request.signal.aborted) throw error;
      return this.#once(request);
    }
  }

  async #once(request: CarrierHttpRequest): Promise<unknown> {
    const { clock, deadlineMs = DEADLINE_MS } = this.#options;
    const late = new AbortController();
    const timer = clock.setTimeout(() => late.abort(), deadlineMs);
    try {
      const response = await this.#send(request, AbortSignal.any([request.signal, late.signal]));
      const text = await response.text();
      const body = text.length > MAX_RESPONSE_CHARS ? undefined : parseJson(text);
      if (response.ok) return body;
      throw this.#refusal(response, body);
    } catch (error) {
      if (request.signal.aborted) throw abortError(request.signal);
      if (error instanceof ProviderError) throw error;
      if (error instanceof OutboundError && error.code === 'private_target')
        throw this.#error('invalid', error.code, `may not be there: ${error.message}`, error);
      if (late.signal.aborted)
        throw this.#error('timeout', 'timeout', 'did not answer in time', error);
      const problem = connectionProblem(error);
      const why = problem ? `: ${problem}` : '';
      throw this.#error('network', 'network', `could not be reached${why}`, error);
    } finally {
      clock.clearTimeout(timer);
    }
  }

  #send(request: CarrierHttpRequest, signal: AbortSignal): Promise<Response> {
    const { baseUrl, authorization } = this.#options;
    const { method, path, form, json } = request;
    const content = form
      ? 'application/x-www-form-urlencoded'
      : json === undefined
        ? undefined
        : 'application/json';
    return this.#fetch(`${withoutEndSlashes(baseUrl)}${path}`, {
      method,
      signal,
      redirect: 'error',
      headers: {
        authorization,
        accept: 'application/json',
        ...(content ? { 'content-type': content } : {}),
      },
      body: form
        ? new URLSearchParams(form.map(([name, value]) => [name, value])).toString()
        : json === undefined
          ? null
          : JSON.stringify(json),
    });
  }

  #refusal(response: Response, body: unknown): ProviderError {
    const { code, message } = this.#options.explain(body);
    const retryAfter = Number(response.headers.get('retry-after'));
    return new ProviderError({
      class: classOf(response.status),
      provider: this.#options.carrier,
      code: code ?? `http_${response.status}`,
      message: `${this.#options.carrier} refused: ${message ?? `status ${response.status}`}`,
      cause: { status: response.status },
      ...(retryAfter > 0 ? { retryAfterMs: retryAfter * 1000 } : {}),
    });
  }

  #error(failure: FailureClass, code: string, message: string, cause: unknown): ProviderError {
    const { carrier } = this.#options;
    return new ProviderError({
      class: failure,
      provider: carrier,
      code,
      message: `${carrier} ${message}`,
      cause,
    });
  }
}

/** The HTTP status of a refusal; undefined for any other failure. */
export function refusedWith(error: unknown): number | undefined {
  if (!(error instanceof ProviderError)) return undefined;
  const cause = error.cause as { readonly status?: unknown } | undefined;
  return typeof cause?.status === 'number' ? cause.status : undefined;
}

function mayPass(error: ProviderError): boolean {
  return error.class === 'network' || error.class === 'timeout' || error.class === 'silent';
}

function classOf(status: number): FailureClass {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 429) return 'rate';
  return status >= 500 ? 'silent' : 'invalid';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
