import type { WebSocket } from 'ws';
import { networkOf } from '../lib/network-of.ts';
import { Tally } from '../lib/tally.ts';

/** How many sockets may wait at one path, and for whom they count. */
export interface AdmissionLimits {
  /** Sockets of one address whose token is not known to be good. @defaultValue 32 */
  readonly maxUnprovenPerAddress: number;
  /** Sockets with the same token; a second one may follow a first that was lost. @defaultValue 2 */
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

/** The team whose token it is, without using the token up; undefined for one that opens nothing. */
export type FindTokenTeam = (token: string) => Promise<string | undefined>;

export type Admission =
  | { readonly outcome: 'admitted'; readonly leave: () => void }
  | { readonly outcome: 'busy' | 'unknown-token' }
  /** The token could not be looked up. */
  | { readonly outcome: 'failed'; readonly error: unknown };

/**
 * Lets sockets wait at a path: the token is looked up first, and only a socket with a good one counts against its
 * team and the path. Until then, and as long as it stays open without one, it counts against its address alone.
 */
export class SocketAdmission {
  readonly #limits: AdmissionLimits;
  readonly #find: FindTokenTeam;
  readonly #unproven = new Tally();
  readonly #tokens = new Tally();
  readonly #teams = new Tally();

  constructor(find: FindTokenTeam, limits: Partial<AdmissionLimits> = {}) {
    this.#find = find;
    this.#limits = { ...admissionDefaults, ...limits };
  }

  async admit(
    socket: WebSocket,
    { token, address }: { readonly token: string; readonly address: string | undefined },
  ): Promise<Admission> {
    const proven = this.#unproven.take(networkOf(address), this.#limits.maxUnprovenPerAddress);
    if (!proven) return { outcome: 'busy' };
    socket.once('close', proven);
    try {
      const teamId = await this.#find(token);
      if (teamId === undefined) return { outcome: 'unknown-token' };
      proven();
      return this.#count(token, teamId);
    } catch (error) {
      return { outcome: 'failed', error };
    }
  }

  #count(token: string, teamId: string): Admission {
    const { maxPerToken, maxPerTeam, maxInAll } = this.#limits;
    if (this.#teams.total >= maxInAll) return { outcome: 'busy' };
    const leaveToken = this.#tokens.take(token, maxPerToken);
    const leaveTeam = leaveToken && this.#teams.take(teamId, maxPerTeam);
    if (!leaveToken || !leaveTeam) {
      leaveToken?.();
      return { outcome: 'busy' };
    }
    const leave = () => {
      leaveToken();
      leaveTeam();
    };
    return { outcome: 'admitted', leave };
  }
}
