import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { buildConnector as connectors } from 'undici';
import type { Clock } from '../ports/clock.ts';
import { buildConnector } from './http-client.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface ConnectorOptions {
  readonly allowPrivate: boolean;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  readonly resolve: Resolver;
}

export const systemResolver: Resolver = (hostname) =>
  dnsLookup(hostname, { all: true, verbatim: true });

export function privateTarget(host: string): OutboundError {
  return new OutboundError(
    'private_target',
    `${host} is a private or reserved address: such targets are blocked. For local development, start with ALLOW_PRIVATE_TARGETS=true`,
  );
}

/** The addresses of a name that connections are permitted to. Throws OutboundError if there are none. */
export async function permittedAddresses(
  hostname: string,
  options: ConnectorOptions,
): Promise<readonly ResolvedAddress[]> {
  let found: readonly ResolvedAddress[];
  try {
    found = await options.resolve(hostname);
  } catch (error) {
    throw new OutboundError('dns_failed', `${hostname} could not be resolved`, error);
  }
  if (found.length === 0) throw new OutboundError('dns_failed', `${hostname} has no address`);
  if (options.allowPrivate) return found;
  const permitted = found.filter((entry) => isPublicAddress(entry.address));
  if (permitted.length === 0) throw privateTarget(hostname);
  return permitted;
}

function guardedLookup(options: ConnectorOptions): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    permittedAddresses(hostname, options).then(
      (addresses) => {
        if (lookupOptions.all) return callback(null, [...addresses]);
        const first = addresses[0] as ResolvedAddress;
        callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}

function unbracketed(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/**
 * Opens sockets to permitted addresses only. The check is part of the look-up that the socket uses to connect, so a
 * name that changes its address in between gains nothing.
 */
export function createGuardedConnector(options: ConnectorOptions): connectors.connector {
  const connect = buildConnector({
    timeout: 0,
    lookup: guardedLookup(options),
    autoSelectFamily: true,
  }) as (target: connectors.Options, callback: connectors.Callback) => Socket;

  return (target, callback) => {
    const host = unbracketed(target.hostname);
    // IP literals are not looked up.
    if (!options.allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
      callback(privateTarget(host), null);
      return;
    }
    const timer = options.clock.setTimeout(() => {
      socket.destroy(
        new OutboundError(
          'connect_timeout',
          `${host} did not accept a connection within ${options.connectTimeoutMs} ms`,
        ),
      );
    }, options.connectTimeoutMs);
    const socket = connect(target, (error, connected) => {
      options.clock.clearTimeout(timer);
      if (error) return callback(error, null);
      const remote = (connected as Socket).remoteAddress ?? '';
      if (!options.allowPrivate && !isPublicAddress(remote)) {
        (connected as Socket).destroy();
        return callback(privateTarget(host), null);
      }
      callback(null, connected as Socket);
    });
  };
}
