import { describeFailure } from '../contract/failures.ts';
import type { Redemption } from '../gateway/web-socket.ts';
import type { Session } from '../session/session.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import { type CallRecord, finishCall, getCall, takeCall } from '../store/calls.ts';
import { deleteExpiredIdempotencyKeys } from '../store/idempotency-keys.ts';
import { deleteExpiredMediaTokens, redeemMediaToken } from '../store/media-tokens.ts';
import { closeUnconnectedCalls } from '../store/orphaned-calls.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type CallSetupDeps, failedSetup, type PreparedCall, prepareCall } from './call-setup.ts';

export interface WebCallsDeps extends CallSetupDeps {
  /** Id of this process. */
  readonly nodeId: string;
  readonly registry: SessionRegistry<Session>;
  readonly metrics: Metrics;
}

export interface WebCalls {
  /** Redeems a connect token, which works once. */
  redeem(token: string): Promise<Redemption>;
  close(): Promise<void>;
}

const SWEEP_MS = 15_000;

/** Connects web clients to their calls, and ends calls to which no client has connected. */
export function createWebCalls(deps: WebCallsDeps): WebCalls {
  const { db, registry, metrics, log } = deps;
  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweeping ??= sweep().finally(() => {
      sweeping = undefined;
    });
  }, SWEEP_MS);
  timer.unref();

  async function sweep(): Promise<void> {
    try {
      await closeUnconnectedCalls(db);
      await deleteExpiredMediaTokens(db);
      await deleteExpiredIdempotencyKeys(db);
    } catch (error) {
      log.warn({ err: error }, 'expired records could not be removed');
    }
  }

  /** Redeems the token and claims its call for this process. */
  function admit(token: string): Promise<CallRecord | undefined> {
    return db.transaction(async (tx) => {
      const redeemed = await redeemMediaToken(tx, { token });
      if (!redeemed) return undefined;
      const record = await getCall(tx, { teamId: redeemed.teamId, id: redeemed.callId });
      if (record.endAt) return undefined;
      return { ...record, epoch: await takeCall(tx, { ...record, nodeId: deps.nodeId }) };
    });
  }

  /** Ends a call whose setup failed after the client had connected. */
  async function giveUp({ teamId, id }: CallRecord, cause: unknown): Promise<Redemption> {
    const end = failedSetup(cause);
    const { code, message } = describeFailure(end.endReason, end.failure);
    log.error({ callId: id, err: cause, code, reason: message }, 'a call could not be set up');
    try {
      await finishCall(db, { teamId, id, ...end });
      deps.onRecorded({ webhooksQueued: true, settled: true });
    } catch (error) {
      // The call will be ended when this process has ended.
      log.error({ callId: id, err: error }, 'a call whose setup failed could not be ended');
    }
    return { outcome: 'refused', code, message, closeCode: 1011 };
  }

  return {
    async redeem(token) {
      const place = registry.reserve();
      if (place !== 'reserved') return refusals[place];
      let taken = false;
      try {
        const record = await admit(token);
        if (!record) return { outcome: 'unknown' };
        let prepared: PreparedCall;
        try {
          prepared = await prepareCall(deps, record);
        } catch (error) {
          return await giveUp(record, error);
        }
        taken = true;
        return {
          outcome: 'accepted',
          callId: record.id,
          attach(leg) {
            const session = prepared.start(leg);
            registry.add(session);
            metrics.callStarted();
            void session.finished.then(() => metrics.callEnded(session.endReason));
            return session;
          },
        };
      } finally {
        if (!taken) registry.release();
      }
    },
    async close() {
      clearInterval(timer);
      await sweeping;
    },
  };
}

const busy = {
  outcome: 'refused',
  code: 'at_capacity',
  message: 'All lines are busy; try again later.',
} as const;

const refusals = {
  full: busy,
  overloaded: busy,
  draining: {
    outcome: 'refused',
    code: 'draining',
    message: 'The service is stopping; try again later.',
  },
} as const satisfies Record<string, Redemption>;
