import type { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { WebSocket } from 'ws';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { Agent } from '../../lib/node-http.ts';
import { OutgoingSocket, type TrafficLimits } from '../../lib/outgoing-socket.ts';
import type { Clock } from '../../ports/clock.ts';

export type OpenSocket = (url: string) => WebSocket;

/** How to reach an Asterisk server. */
export interface Reach {
  readonly fetch?: typeof fetch;
  readonly openSocket?: OpenSocket;
}

const HANDSHAKE_MS = 5000;
/** A call causes some twenty events of about 1 KB each; this allows twenty new calls a second, and a burst. */
const EVENTS = {
  maxMessageBytes: 256 * 1024,
  messagesPerSecond: 400,
  burstMessages: 1000,
  bytesPerSecond: 1024 * 1024,
  burstBytes: 2 * 1024 * 1024,
} as const satisfies TrafficLimits;
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Connects without a guard, for a server that the operator configured. */
export function openPlainSocket(clock: Clock): OpenSocket {
  return (url) =>
    new OutgoingSocket(url, { handshakeTimeout: HANDSHAKE_MS, limits: EVENTS, clock });
}

/** Connects to servers that teams configured, refusing the targets that `fetch` and `connect` refuse. */
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

/** An agent for one connection, with TLS if the URL has it. */
function guardedAgent(
  { hostname, port, protocol }: URL,
  connect: buildConnector.connector,
): PlainAgent {
  const isSecure = protocol === 'wss:';
  // A request is refused by an agent of the other protocol.
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: false });
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

/** The guarded fetch with the platform's signature. It supports text bodies and follows no redirects. */
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
