import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import type { Clock } from '../ports/clock.ts';
import { abortError, throwIfAborted } from './abort.ts';
import { connectionProblem } from './connection-problem.ts';
import {
  createGuardedConnector,
  privateTarget,
  type Resolver,
  systemResolver,
} from './guarded-connector.ts';
import { Agent, errors, request } from './http-client.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';

interface OutboundRequest {
  /** @defaultValue `GET` */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Aborts the exchange and closes its socket. */
  readonly signal: AbortSignal;
  /** Number of redirects to follow; each target is checked. @defaultValue 0 */
  readonly maxRedirects?: number;
  /** Limit on the body of the response, in bytes. @defaultValue 10 MiB */
  readonly maxResponseBytes?: number;
  /** The team the request is made for, if teams share the fetch. */
  readonly team?: string;
}

export interface OutboundResponse {
  readonly status: number;
  /** URL of the response, after redirects. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Can be read once; stopping early ends the exchange. Throws {@link OutboundError} or AbortError. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the exchange without reading the rest of the body. */
  cancel(): void;
}

/** An HTTP request with limits. Rejects with {@link OutboundError} if there is no response, or with AbortError. */
export type OutboundFetch = (url: string, request: OutboundRequest) => Promise<OutboundResponse>;

export interface GuardedFetchOptions {
  /** Allows requests to loopback, private and reserved addresses. */
  readonly allowPrivate: boolean;
  readonly clock: Clock;
  /** @defaultValue 3000 */
  readonly connectTimeoutMs?: number;
  /** @defaultValue the system's */
  readonly resolve?: Resolver;
}

export interface GuardedFetch {
  readonly fetch: OutboundFetch;
  /** Ends every open exchange and idle connection. */
  close(): Promise<void>;
}

const MAX_RESPONSE_BYTES = 10 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
// Headers that are kept on a redirect to another origin; none can contain credentials.
const CROSS_ORIGIN_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent']);

function parseTarget(url: string, base?: URL): URL {
  const parsed = URL.parse(url, base?.href);
  if (!parsed) throw new OutboundError('bad_url', 'The address is not a valid URL');
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw new OutboundError('bad_url', `${parsed.protocol} addresses are not supported`);
  if (parsed.username || parsed.password)
    throw new OutboundError('bad_url', 'An address must not carry a user name or password');
  return parsed;
}

function toOutboundError(error: unknown, host: string, signal: AbortSignal): Error {
  if (signal.aborted) return abortError(signal);
  if (error instanceof OutboundError) return error;
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError)
    return new OutboundError('bad_response', `${host} did not answer in valid HTTP`, error);
  if (error instanceof errors.ResponseContentLengthMismatchError)
    return new OutboundError('bad_response', `${host} sent less than it announced`, error);
  const problem = connectionProblem(error);
  const why = problem ? `: ${problem}` : '';
  return new OutboundError('network', `The connection to ${host} failed${why}`, error);
}

async function* boundedBody(
  body: Readable,
  limitBytes: number,
  host: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      throwIfAborted(signal);
      received += chunk.length;
      if (received > limitBytes) {
        throw new OutboundError(
          'response_too_large',
          `${host} sent more than the ${limitBytes} bytes allowed`,
        );
      }
      yield chunk;
    }
  } catch (error) {
    throw toOutboundError(error, host, signal);
  } finally {
    body.destroy();
  }
}

function flattenHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** The request to send after a redirect, by the rules of browsers. */
function redirected(current: OutboundRequest, status: number, from: URL, to: URL): OutboundRequest {
  const toGet =
    (status === 303 && current.method !== 'HEAD') ||
    ((status === 301 || status === 302) && current.method === 'POST');
  const headers = Object.entries(current.headers ?? {}).filter(([name]) => {
    const lower = name.toLowerCase();
    if (toGet && lower.startsWith('content-')) return false;
    return from.origin === to.origin || CROSS_ORIGIN_HEADERS.has(lower);
  });
  const { body, ...rest } = current;
  return {
    ...rest,
    ...(toGet ? { method: 'GET' } : body === undefined ? {} : { body }),
    headers: Object.fromEntries(headers),
  };
}

/**
 * A fetch for URLs given by users: http and https only, no private targets unless allowed, no redirects unless asked
 * for, bounded responses, connections kept alive.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const agent = new Agent({
    connect: createGuardedConnector({
      allowPrivate: options.allowPrivate,
      clock: options.clock,
      connectTimeoutMs: options.connectTimeoutMs ?? 3000,
      resolve: options.resolve ?? systemResolver,
    }),
    connections: 128,
    keepAliveTimeout: 30_000,
    // The caller's signal is the deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const exchange = async (target: URL, outbound: OutboundRequest): Promise<OutboundResponse> => {
    const { signal } = outbound;
    const limitBytes = outbound.maxResponseBytes ?? MAX_RESPONSE_BYTES;
    throwIfAborted(signal);
    try {
      const response = await request(agent, target, {
        method: outbound.method ?? 'GET',
        headers: { 'accept-encoding': 'identity', ...outbound.headers },
        body: outbound.body ?? null,
        signal,
      });
      const { body } = response;
      // The reader of the body gets the error; if it is cancelled unread, nobody needs it.
      body.on('error', () => {});
      return {
        status: response.statusCode,
        url: target.href,
        headers: flattenHeaders(response.headers),
        body: boundedBody(body, limitBytes, target.host, signal),
        cancel: () => body.destroy(),
      };
    } catch (error) {
      throw toOutboundError(error, target.host, signal);
    }
  };

  /** The target of a redirect; undefined if the response is none. Throws OutboundError if it must not be followed. */
  const redirectTarget = (response: OutboundResponse, from: URL, left: number): URL | undefined => {
    const location = response.headers.location;
    if (!REDIRECTS.has(response.status) || location === undefined) return undefined;
    response.cancel();
    const to = parseTarget(location, from);
    const host = to.hostname.replace(/^\[|\]$/g, '');
    if (!options.allowPrivate && isIP(host) !== 0 && !isPublicAddress(host))
      throw privateTarget(`${from.host} redirects to ${host}: it`);
    if (left <= 0 || (from.protocol === 'https:' && to.protocol === 'http:')) {
      throw new OutboundError(
        'redirect_refused',
        `${from.host} answered with a redirect (${response.status}), which is not followed`,
      );
    }
    return to;
  };

  return {
    async fetch(url, outbound) {
      let target = parseTarget(url);
      let current = outbound;
      for (let left = outbound.maxRedirects ?? 0; ; left--) {
        const response = await exchange(target, current);
        const next = redirectTarget(response, target, left);
        if (!next) return response;
        current = redirected(current, response.status, target, next);
        target = next;
      }
    },
    close: () => agent.destroy(),
  };
}
