import type { WebSocket } from 'ws';
import { networkOf } from '../lib/network-of.ts';
import { SharedPlaces, Tally } from '../lib/tally.ts';

/** How many sockets may wait at one path, by address, token and team. */
export interface AdmissionLimits {
  /** Sockets of one address whose token has not been verified. @defaultValue 32 */
  readonly maxUnprovenPerAddress: number;
  /** Sockets with the same token; a second one may follow a lost first one. @defaultValue 2 */
  readonly maxPerToken: number;
  /** Sockets of one team. @defaultValue 64 */
  readonly maxPerTeam: number;
  /** Sockets of all teams. @defaultValue 1024 */
  readonly maxInAll: number;
}

export const admissionDefaults = {
  maxUnprovenPerAddress: 32,
  maxPerToken: 2,
  maxPerTeam: 64,
  maxInAll: 1024,
} as const satisfies AdmissionLimits;

/** The team of a token, without redeeming it; undefined for an invalid token. */
export type FindTokenTeam = (token: string) => Promise<string | undefined>;

export type Admission =
  | { readonly outcome: 'admitted'; readonly leave: () => void }
  | { readonly outcome: 'busy' | 'unknown-token' }
  /** The token lookup failed. */
  | { readonly outcome: 'failed'; readonly error: unknown };

/**
 * Admits sockets to a path: the token is looked up first, and only a socket with a valid token counts against its
 * team and the path. Until then, and while it stays open without one, it counts against its address alone.
 */
export class SocketAdmission {
  readonly #maxUnproven: number;
  readonly #find: FindTokenTeam;
  readonly #unproven = new Tally();
  readonly #places: SharedPlaces;

  constructor(find: FindTokenTeam, limits: Partial<AdmissionLimits> = {}) {
    this.#find = find;
    const { maxUnprovenPerAddress, ...places } = { ...admissionDefaults, ...limits };
    this.#maxUnproven = maxUnprovenPerAddress;
    this.#places = new SharedPlaces(places);
  }

  async admit(
    socket: WebSocket,
    { token, address }: { readonly token: string; readonly address: string | undefined },
  ): Promise<Admission> {
    const proven = this.#unproven.take(networkOf(address), this.#maxUnproven);
    if (!proven) return { outcome: 'busy' };
    socket.once('close', proven);
    try {
      const teamId = await this.#find(token);
      if (teamId === undefined) return { outcome: 'unknown-token' };
      proven();
      const leave = this.#places.take({ teamId, token });
      return leave ? { outcome: 'admitted', leave } : { outcome: 'busy' };
    } catch (error) {
      return { outcome: 'failed', error };
    }
  }
}
