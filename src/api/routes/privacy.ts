import { deleteCallerData, findCallerData } from '../../calls/caller-data.ts';
import type { Contract } from '../../contract/contract.ts';
import { type DeletedCall, listDeletedCalls } from '../../store/delete-calls.ts';
import { holdNumber, listNumberHolds, type NumberHold } from '../../store/holds.ts';
import { releaseNumber } from '../../store/release-holds.ts';
import { getTeam, setRetentionDays, type Team } from '../../store/teams.ts';
import type { ApiDeps } from '../deps.ts';
import { servePages } from '../list-route.ts';
import { type Routing, serve } from '../route.ts';

/** What is kept, for how long, and how it is deleted. */
export function privacyRoutes(
  routing: Routing,
  operations: Contract['privacy'],
  deps: Pick<ApiDeps, 'db' | 'jobs'> & { readonly now: () => number },
): void {
  const { db, now } = deps;

  serve(routing, operations.retention, async ({ teamId }) =>
    presentRetention(await getTeam(db, { teamId })),
  );

  serve(routing, operations.setRetention, async ({ teamId, body: retentionDays }) =>
    presentRetention(await setRetentionDays(db, { teamId, retentionDays })),
  );

  servePages(routing, operations.deletions, {
    read: (params) => listDeletedCalls(db, params),
    present: presentDeletedCall,
  });

  serve(routing, operations.caller, async ({ teamId, params }) =>
    findCallerData(db, { teamId, ...params }),
  );

  serve(routing, operations.deleteCaller, async ({ teamId, params }) =>
    deleteCallerData(deps, { teamId, ...params }),
  );

  serve(routing, operations.holds, async ({ teamId }) =>
    (await listNumberHolds(db, { teamId })).map(presentHold),
  );

  serve(routing, operations.hold, async ({ teamId, params, body }) =>
    presentHold(await holdNumber(db, { teamId, ...params, ...body, now: new Date(now()) })),
  );

  serve(routing, operations.release, async ({ teamId, params }) =>
    presentHold(await releaseNumber(db, { teamId, ...params })),
  );
}

export function presentDeletedCall({ id, cause, deletedAt, filesRemovedAt }: DeletedCall) {
  return {
    id,
    cause,
    deletedAt: deletedAt.toISOString(),
    ...(filesRemovedAt ? { filesRemovedAt: filesRemovedAt.toISOString() } : {}),
  };
}

const presentRetention = ({ retentionDays: own, mostRetentionDays: most }: Team) => ({ own, most });

const presentHold = ({ number, reason, createdAt }: NumberHold) => ({
  number,
  since: createdAt.toISOString(),
  reason,
});
