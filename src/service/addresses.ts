import type { FastifyRequest } from 'fastify';

/** The addresses under which others find this service, without a slash at the end. */
export interface Addresses {
  /** The configured PUBLIC_URL. */
  readonly configured: string | undefined;
  /** PUBLIC_URL, or else the address that the request was sent to. */
  publicUrl(request: FastifyRequest): string;
  /** PUBLIC_URL, or else the address that the server listens on; empty before it listens. */
  ownUrl(): string;
  /**
   * The given URL of this service as the built-in carrier reaches it: at the local server, since PUBLIC_URL may lead
   * through a network that does not route back to this machine.
   */
  reachLocally(url: string): string;
  listeningOn(address: string): void;
}

export function createAddresses(configured: string | undefined): Addresses {
  let local = '';
  const swap = (url: string, from: string, to: string) =>
    url.startsWith(`${from}/`) ? to + url.slice(from.length) : undefined;
  const socket = (url: string) => url.replace(/^http/, 'ws');
  return {
    configured,
    publicUrl: (request) => configured ?? `${request.protocol}://${request.host}`,
    ownUrl: () => configured ?? local,
    reachLocally(url) {
      if (configured === undefined) return url;
      return swap(url, configured, local) ?? swap(url, socket(configured), socket(local)) ?? url;
    },
    listeningOn(address) {
      local = address;
    },
  };
}
