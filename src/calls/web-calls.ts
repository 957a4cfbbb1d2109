import { describeFailure } from '../contract/failures.ts';
import type { RestoredCall } from '../engine/machine/replay.ts';
import type { Redemption } from '../gateway/web-socket.ts';
import { nodeTagOf } from '../lib/node-tag.ts';
import type { MediaLeg } from '../ports/media.ts';
import type { Session } from '../session/session.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import { countResumes } from '../store/call-events.ts';
import { type CallRecord, finishCall, getCall, takeCall } from '../store/calls.ts';
import { OverLimitError } from '../store/errors.ts';
import { deleteExpiredIdempotencyKeys } from '../store/idempotency-keys.ts';
import {
  deleteExpiredMediaTokens,
  findMediaTokenTeam,
  redeemMediaToken,
} from '../store/media-tokens.ts';
import { closeUnconnectedCalls, takeOrphanedCall } from '../store/orphaned-calls.ts';
import { sealerOf } from '../store/sealing.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type CallSetupDeps, failedSetup, type PreparedCall, prepareCall } from './call-setup.ts';
import { restoreRecorded } from './restore-recorded.ts';
import { openResumeToken, type ResumeToken, sealResumeToken } from './resume-token.ts';

export interface WebCallsDeps extends CallSetupDeps {
  /** Id of this process. */
  readonly nodeId: string;
  readonly registry: SessionRegistry<Session>;
  readonly metrics: Metrics;
}

export interface WebCalls {
  /** Whose limit of waiting sockets a token counts for: that of its team or call. Undefined if it is unknown. */
  findTeam(token: string): Promise<string | undefined>;
  /** Redeems a connect token, or the resume token of a process that has died; each works once. */
  redeem(token: string): Promise<Redemption>;
  close(): Promise<void>;
}

const SWEEP_MS = 15_000;

/** Connects web clients to their calls, and ends calls to which no client has connected. */
export function createWebCalls(deps: WebCallsDeps): WebCalls {
  const { db, registry, metrics, callStarts, log } = deps;
  const sealer = sealerOf(db);
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
      // Whoever is refused keeps the token.
      await callStarts.came(tx, record);
      return { ...record, epoch: await takeCall(tx, { ...record, nodeId: deps.nodeId }) };
    });
  }

  /** Claims the call of a resume token whose process has died. */
  async function claim({ callId, epoch, serial }: ResumeToken) {
    // Whoever has the newest token is the caller. A call that can be taken has nobody who counts on.
    if (serial < (await countResumes(db, { callId, epoch }))) return undefined;
    return takeOrphanedCall(db, { id: callId, epoch, nodeId: deps.nodeId });
  }

  async function takeOver(token: ResumeToken): Promise<Redemption> {
    const place = registry.reserve();
    if (place !== 'reserved') return refusals[place];
    let taken = false;
    try {
      const call = await claim(token);
      if (call === 'alive') return notYet;
      if (!call) return { outcome: 'unknown' };
      let record: CallRecord;
      let restored: RestoredCall | undefined;
      let prepared: PreparedCall;
      try {
        [record, restored, prepared] = await deps.takeOvers.run(call.teamId, async () => {
          const [found, left] = await Promise.all([getCall(db, call), restoreRecorded(db, call)]);
          return [found, left, await prepareCall(deps, found, left)] as const;
        });
      } catch (error) {
        return await giveUp(call, error);
      }
      taken = true;
      if (!restored) return accepted(record, prepared);
      const { last, startedAtMs } = restored;
      log.info({ callId: record.id, seq: last.seq }, 'a call of a dead process was taken over');
      const received = { receivedMs: last.at, receivedAt: startedAtMs + last.at };
      const { sampleRateHz } = token;
      return { ...accepted(record, prepared), takenOver: { sampleRateHz, ...received } };
    } finally {
      if (!taken) registry.release();
    }
  }

  function accepted(record: CallRecord, prepared: PreparedCall) {
    const { id: callId, epoch } = record;
    const course = callStarts.follow(record);
    return {
      outcome: 'accepted',
      callId,
      sealLeg: (leg: Pick<ResumeToken, 'sampleRateHz' | 'serial'>) =>
        sealResumeToken(sealer, { callId, epoch, ...leg }),
      broke: course.broke,
      attach(leg: MediaLeg) {
        const session = prepared.start(leg);
        registry.add(session);
        metrics.callStarted();
        void session.finished.then(() => {
          course.over();
          metrics.callEnded(session.endReason);
        });
        return session;
      },
    } as const;
  }

  /** Ends a call whose setup failed after the client had connected. */
  async function giveUp(
    { teamId, id }: Pick<CallRecord, 'teamId' | 'id'>,
    cause: unknown,
  ): Promise<Redemption> {
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
    async findTeam(token) {
      return openResumeToken(sealer, token)?.callId ?? findMediaTokenTeam(db, { token });
    },
    async redeem(token) {
      const resumed = openResumeToken(sealer, token);
      // A token of this process that its gateway does not know is void, unless its call was left to others.
      if (resumed) {
        const isOwn = nodeTagOf(token) === deps.nodeId && registry.isLive(resumed.callId);
        return isOwn && !registry.draining ? { outcome: 'unknown' } : takeOver(resumed);
      }
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
        return accepted(record, prepared);
      } catch (error) {
        if (!(error instanceof OverLimitError)) throw error;
        return { outcome: 'refused', code: error.limit, message: error.message };
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

/** The client tries again in a moment. */
const notYet = {
  outcome: 'refused',
  code: 'not_yet',
  message: 'The process of the call may still be alive; try again in a moment.',
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
