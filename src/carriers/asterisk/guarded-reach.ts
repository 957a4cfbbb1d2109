import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { WebSocket } from 'ws';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import type { OpenSocket } from './ari-events.ts';

/** How an Asterisk's commands and events get there. */
export interface Reach {
  readonly fetch?: typeof fetch;
  readonly openSocket?: OpenSocket;
}

const HANDSHAKE_MS = 5000;
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Commands and events over connections that refuse private targets, as far as `fetch` and `connect` do. */
export function guardedReach(guard: {
  readonly fetch: OutboundFetch;
  readonly connect: buildConnector.connector;
}): Required<Reach> {
  return {
    fetch: platformFetch(guard.fetch),
    openSocket: (url) =>
      new WebSocket(url, {
        handshakeTimeout: HANDSHAKE_MS,
        perMessageDeflate: false,
        agent: guardedAgent(new URL(url), guard.connect),
      }),
  };
}

/** For one connection, TLS included where the URL wants it. */
function guardedAgent({ hostname, port, protocol }: URL, connect: buildConnector.connector): Agent {
  const isSecure = protocol === 'wss:';
  const agent = new Agent({ keepAlive: false });
  agent.createConnection = (_options, taken) => {
    const target = {
      hostname,
      host: hostname,
      port: port || (isSecure ? '443' : '80'),
      protocol: isSecure ? 'https:' : 'http:',
    };
    connect(target, (error, socket) =>
      error ? taken?.(error, undefined as never) : taken?.(null, socket as Socket),
    );
    return undefined;
  };
  return agent;
}

/** The guarded fetch in the platform's clothes, for what carriers are asked: texts, and no redirects. */
function platformFetch(outbound: OutboundFetch): typeof fetch {
  return async (input, init = {}) => {
    const answer = await outbound(String(input), {
      method: (init.method ?? 'GET') as 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      signal: init.signal ?? new AbortController().signal,
      ...(typeof init.body === 'string' ? { body: init.body } : {}),
    });
    const { status, headers } = answer;
    if (!NO_BODY.has(status))
      return new Response(ReadableStream.from(answer.body), { status, headers });
    answer.cancel();
    return new Response(null, { status, headers });
  };
}
