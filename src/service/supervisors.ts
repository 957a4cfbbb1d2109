import type { FastifyInstance } from 'fastify';
import { CredentialWatch } from '../calls/credential-watch.ts';
import { registerSupervisorSocket } from '../gateway/supervisor-socket.ts';
import type { CallTakeOver } from '../ports/call-take-over.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';
import { findMediaTokenTeam, redeemMediaToken } from '../store/media-tokens.ts';

interface Deps {
  readonly db: Db;
  readonly calls: CallTakeOver;
  readonly clock: Clock;
  readonly log: Log;
}

const purpose = 'take-over';

/** Adds the sockets of people who speak with callers instead of the assistant. */
export function registerSupervisors(server: FastifyInstance, deps: Deps): void {
  const { db, calls, clock, log } = deps;
  const watch = new CredentialWatch({ db, clock, log, least: 'builder' });
  server.addHook('onClose', async () => watch.close());
  registerSupervisorSocket(server, {
    calls,
    clock,
    log,
    findTokenTeam: (token) => findMediaTokenTeam(db, { token, purpose }),
    async redeem(token) {
      const redeemed = await redeemMediaToken(db, { token, purpose });
      if (!redeemed) return undefined;
      const { callId, holder } = redeemed;
      return {
        callId,
        by: holder?.name ?? 'A colleague',
        watch: (end) => (holder ? watch.add({ holder, end }) : () => undefined),
      };
    },
  });
}
