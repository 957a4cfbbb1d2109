import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { WebSocket } from 'ws';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { OutgoingSocket, type TrafficLimits } from '../../lib/outgoing-socket.ts';
import type { Clock } from '../../ports/clock.ts';

export type OpenSocket = (url: string) => WebSocket;

/** How an Asterisk's commands and events get there. */
export interface Reach {
  readonly fetch?: typeof fetch;
  readonly openSocket?: OpenSocket;
}

const HANDSHAKE_MS = 5000;
/** A call is some twenty events of about a kilobyte: enough for twenty new calls a second, and for a rush. */
const EVENTS = {
  maxMessageBytes: 256 * 1024,
  messagesPerSecond: 400,
  burstMessages: 4000,
  bytesPerSecond: 1024 * 1024,
  burstBytes: 8 * 1024 * 1024,
} as const satisfies TrafficLimits;
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The platform's way to a server that the operator named. */
export function openPlainSocket(clock: Clock): OpenSocket {
  return (url) =>
    new OutgoingSocket(url, { handshakeTimeout: HANDSHAKE_MS, limits: EVENTS, clock });
}

/** Commands and events over connections that refuse private targets, as far as `fetch` and `connect` do. */
export function guardedReach(guard: {
  readonly fetch: OutboundFetch;
  readonly connect: buildConnector.connector;
  readonly clock: Clock;
}): Required<Reach> {
  return {
    fetch: platformFetch(guard.fetch),
    openSocket: (url) =>
      new OutgoingSocket(url, {
        handshakeTimeout: HANDSHAKE_MS,
        limits: EVENTS,
        clock: guard.clock,
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
