import type { FastifyInstance } from 'fastify';
import { CredentialWatch } from '../calls/credential-watch.ts';
import type { HeldCall } from '../carriers/emulator/emulated-carrier.ts';
import type { Switchboard } from '../carriers/emulator/switchboard.ts';
import type { HandsetOwner } from '../gateway/handset-leg.ts';
import { type Handsets, registerHandsetSocket } from '../gateway/handset-socket.ts';
import { newToken } from '../lib/ids.ts';
import { findCarrierCall } from '../store/calls.ts';
import { findCallOfTelephone } from '../store/carrier-calls.ts';
import type { Db } from '../store/db.ts';
import {
  createHandsetToken,
  deleteHandsetToken,
  findHandsetTokenTeam,
  redeemHandsetToken,
} from '../store/handset-tokens.ts';
import { findNumberOfAnyTeam } from '../store/numbers.ts';
import { findLegOfTelephone } from '../store/operator-legs.ts';
import { callbackUrl } from './call-routes.ts';
import type { TelephoneDeps } from './deps.ts';

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

async function heldCall(
  db: Db,
  { teamId, number }: HandsetOwner,
  baseUrl: string,
): Promise<HeldCall | undefined> {
  const found = await findCallOfTelephone(db, { teamId, number, carrier: 'emulator' });
  if (!found) return heldLeg(db, { teamId, number }, baseUrl);
  if (!found.carrierCallId || !found.assistantNumber) return undefined;
  const { id: callId, carrierCallId, assistantNumber, direction } = found;
  const routed = { baseUrl, carrier: 'emulator', callId } as const;
  // Each return is a request of its own, which the process of the call must not take for a repeated one.
  const voiceUrl = `${callbackUrl(routed, 'voice')}&again=${newToken()}`;
  return direction === 'inbound'
    ? { carrierCallId, from: number, to: assistantNumber, direction, voiceUrl }
    : {
        ...{ carrierCallId, from: assistantNumber, to: number, voiceUrl },
        direction: 'outbound-api',
        statusUrl: callbackUrl(routed, 'status'),
      };
}

/** The same for an operator's telephone, which talks with the caller of another call. */
async function heldLeg(
  db: Db,
  { teamId, number }: HandsetOwner,
  baseUrl: string,
): Promise<HeldCall | undefined> {
  const found = await findLegOfTelephone(db, { teamId, number, carrier: 'emulator' });
  if (!found?.carrierCallId) return undefined;
  const { id: callId, carrierCallId, from } = found;
  const routed = { baseUrl, carrier: 'emulator', callId, number: from } as const;
  return {
    ...{ carrierCallId, from, to: number, direction: 'outbound-api' },
    voiceUrl: `${callbackUrl(routed, 'voice')}&again=${newToken()}`,
    statusUrl: callbackUrl(routed, 'status'),
  };
}
