import { createRequire } from 'node:module';
import type * as undici from 'undici';

// The parts of undici that requests need. Its index loads four times as much: a fetch, caches, proxies and mocks.
const part = createRequire(import.meta.url);
const sendRequest = part('undici/lib/api/api-request.js') as (
  this: undici.Dispatcher,
  options: undici.Dispatcher.RequestOptions,
) => Promise<undici.Dispatcher.ResponseData>;

export const Agent = part('undici/lib/dispatcher/agent.js') as typeof undici.Agent;
export const buildConnector = part('undici/lib/core/connect.js') as typeof undici.buildConnector;
export const errors = part('undici/lib/core/errors.js') as typeof undici.errors;

type RequestOptions = Omit<undici.Dispatcher.RequestOptions, 'origin' | 'path'>;

/** Like `request` of undici, through this dispatcher. */
export function request(
  dispatcher: undici.Dispatcher,
  url: URL,
  options: RequestOptions,
): Promise<undici.Dispatcher.ResponseData> {
  const path = url.pathname + url.search;
  return sendRequest.call(dispatcher, { ...options, origin: url.origin, path });
}
