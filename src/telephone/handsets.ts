import type { FastifyInstance } from 'fastify';
import { CredentialWatch } from '../calls/credential-watch.ts';
import type { Switchboard } from '../carriers/emulator/switchboard.ts';
import { type Handsets, registerHandsetSocket } from '../gateway/handset-socket.ts';
import { findCarrierCall } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import {
  createHandsetToken,
  deleteHandsetToken,
  findHandsetTokenTeam,
  redeemHandsetToken,
} from '../store/handset-tokens.ts';
import { findNumberOfAnyTeam } from '../store/numbers.ts';
import type { TelephoneDeps } from './deps.ts';
import { heldCall } from './held-call.ts';

/** A telephone that is on for longer has to be switched on again after its process has ended. */
const RETURNS_FOR_MS = 7 * 24 * 60 * 60 * 1000;

interface HandsetsDeps extends Pick<TelephoneDeps, 'db' | 'clock' | 'log'> {
  readonly switchboard: Switchboard;
  /** Where the built-in carrier reaches this service. */
  readonly ownUrl: () => string;
}

/** Adds the WebSocket endpoint of the built-in carrier's telephones. */
export function registerHandsets(
  server: FastifyInstance,
  { db, clock, log, switchboard, ownUrl }: HandsetsDeps,
): Handsets {
  const watch = new CredentialWatch({ db, clock, log, least: 'builder' });
  server.addHook('onClose', async () => watch.close());
  return registerHandsetSocket(server, {
    switchboard,
    findTokenTeam: (token) => findHandsetTokenTeam(db, { token }),
    async redeem(token) {
      const redeemed = await redeemHandsetToken(db, { token });
      if (!redeemed) return undefined;
      const { holder, ...owned } = redeemed;
      return {
        ...owned,
        watch: (end) => (holder ? watch.add({ holder, end }) : () => undefined),
        newToken: () => {
          const expiresAt = new Date(clock.now() + RETURNS_FOR_MS);
          const { teamId, number } = owned;
          const params = { teamId, number, holder: holder ?? undefined, expiresAt };
          return createHandsetToken(db, params, { returns: true });
        },
      };
    },
    revoke: (token) => deleteHandsetToken(db, { token }),
    heldCall: (owner) => heldCall(db, owner, ownUrl()),
    async callIdOf({ from, to, carrierCallId }, teamId) {
      for (const number of [from, to]) {
        const line = await findNumberOfAnyTeam(db, { number });
        if (line?.teamId !== teamId) continue;
        const call = await findCarrierCall(db, { teamId, numberId: line.id, carrierCallId });
        if (call) return call.id;
      }
      return undefined;
    },
    clock,
    log,
  });
}

/** The team that owns this number at the built-in carrier. */
export async function builtInOwner(db: Db, number: string): Promise<string | undefined> {
  const found = await findNumberOfAnyTeam(db, { number });
  return found?.provider === 'emulator' ? found.teamId : undefined;
}
