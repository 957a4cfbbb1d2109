import type { z } from 'zod';
import { deleteTeamJob } from '../../calls/delete-team.ts';
import { encryptFilesJob, NEW_KEY_MS } from '../../calls/encrypt-files.ts';
import type { Contract } from '../../contract/contract.ts';
import { invalid, Problem } from '../../contract/errors.ts';
import { applyMergePatch } from '../../contract/merge-patch.ts';
import { type Team, TeamConfigSchema, type TeamVendor } from '../../contract/team.ts';
import { validate } from '../../contract/validation.ts';
import { createApiKey } from '../../store/api-keys.ts';
import { addFirstKey } from '../../store/sealed-content.ts';
import { endWaitingCalls } from '../../store/suspended-calls.ts';
import { addTeamKey } from '../../store/team-keys.ts';
import { readUsageByDay, readUsageNow } from '../../store/team-usage.ts';
import {
  createTeam,
  getTeam,
  lockTeam,
  markTeamDeleted,
  pageTeams,
  resumeTeam,
  suspendTeam,
  type Team as TeamRecord,
  updateTeam,
} from '../../store/teams.ts';
import { deleteVendorAccount, setVendorAccount } from '../../store/vendor-credentials.ts';
import type { ApiDeps } from '../deps.ts';
import { linkNextPage } from '../paging.ts';
import { type Routing, serveTeamless } from '../route.ts';
import { readVendorAccount, readVendorAccounts } from '../vendor-accounts.ts';
import { presentApiKey } from './api-keys.ts';

const DAY_MS = 24 * 3600_000;
const USUAL_DAYS = 30;
const MAX_DAYS = 400;
const OPERATOR = { type: 'operator' } as const;

type TeamDeps = Pick<ApiDeps, 'db' | 'jobs' | 'hasAccount' | 'encryptsCalls'> & {
  readonly now: () => number;
};

/** The operator's API on teams. */
export function teamRoutes(
  routing: Pick<Routing, 'app'>,
  operations: Contract['teams'],
  { db, jobs, hasAccount = () => false, encryptsCalls, now }: TeamDeps,
): void {
  serveTeamless(routing, operations.list, async ({ query, request, reply }) => {
    const page = await pageTeams(db, query);
    linkNextPage(request, reply, page);
    return page.items.map(presentTeam);
  });

  serveTeamless(routing, operations.create, async ({ body }) =>
    db.transaction(async (tx) => {
      const team = await createTeam(tx, body);
      await addFirstKey(tx, team);
      const { apiKey, key } = await createApiKey(tx, {
        teamId: team.id,
        name: 'First key',
        origin: OPERATOR,
      });
      return { ...presentTeam(team), apiKey: { ...presentApiKey(apiKey), key } };
    }),
  );

  serveTeamless(routing, operations.get, async ({ params }) =>
    presentTeam(await getTeam(db, { teamId: params.id })),
  );

  serveTeamless(routing, operations.update, async ({ params, body }) => {
    const teamId = params.id;
    return db.transaction(async (tx) => {
      const { name, limits, mostRetentionDays } = await lockTeam(tx, { teamId });
      const current = { name, limits, retentionDays: mostRetentionDays };
      const change = checked(applyMergePatch(current, body));
      return presentTeam(await updateTeam(tx, { teamId, change }));
    });
  });

  serveTeamless(routing, operations.suspend, async ({ params, body }) => {
    const teamId = params.id;
    const { reason, farewell } = body;
    const suspension = { reason, farewell: farewell.trim() || null, now: new Date(now()) };
    const team = await suspendTeam(db, { teamId, ...suspension });
    await endWaitingCalls(db, { teamId, now: new Date(now()) });
    return presentTeam(team);
  });

  serveTeamless(routing, operations.resume, async ({ params }) =>
    presentTeam(await resumeTeam(db, { teamId: params.id })),
  );

  serveTeamless(routing, operations.remove, async ({ params }) => {
    const teamId = params.id;
    const team = await db.transaction(async (tx) => {
      const marked = await markTeamDeleted(tx, { teamId, now: new Date(now()) });
      await jobs.send(tx, deleteTeamJob, { teamId }, { dedupeKey: teamId });
      return marked;
    });
    await endWaitingCalls(db, { teamId, now: new Date(now()) });
    return presentTeam(team);
  });

  serveTeamless(routing, operations.usage, async ({ params, query }) => {
    const teamId = params.id;
    await getTeam(db, { teamId });
    const at = new Date(now());
    const to = query.to ?? dayOf(at);
    const from = query.from ?? dayOf(new Date(Date.parse(to) - (USUAL_DAYS - 1) * DAY_MS));
    const span = (Date.parse(to) - Date.parse(from)) / DAY_MS;
    if (span < 0 || span > MAX_DAYS)
      throw invalid([{ path: 'to', message: `must be 0 to ${MAX_DAYS} days after from` }]);
    const days = await readUsageByDay(db, { teamId, from, to });
    return { now: await readUsageNow(db, { teamId, now: at }), days: [...days] };
  });

  const accounts = { db, hasAccount };
  const vendorsOf = async (teamId: string): Promise<TeamVendor[]> => {
    await getTeam(db, { teamId });
    return readVendorAccounts(accounts, teamId);
  };
  const vendorOf = async (teamId: string, vendor: string): Promise<TeamVendor> => {
    await getTeam(db, { teamId });
    return readVendorAccount(accounts, { teamId, vendor });
  };

  serveTeamless(routing, operations.listVendors, async ({ params }) => vendorsOf(params.id));

  serveTeamless(routing, operations.setVendor, async ({ params, body }) => {
    const { id: teamId, vendor } = params;
    await vendorOf(teamId, vendor);
    const { apiKey, baseUrl = null, concurrency = null } = body;
    await setVendorAccount(db, { teamId, vendor, apiKey, baseUrl, concurrency });
    return vendorOf(teamId, vendor);
  });

  serveTeamless(routing, operations.removeVendor, async ({ params }) => {
    const { id: teamId, vendor } = params;
    await vendorOf(teamId, vendor);
    await deleteVendorAccount(db, { teamId, vendor });
    return vendorOf(teamId, vendor);
  });

  serveTeamless(routing, operations.rotateEncryptionKey, async ({ params }) => {
    const teamId = params.id;
    const team = await getTeam(db, { teamId });
    if (!encryptsCalls)
      throw new Problem({
        kind: 'conflict',
        message: 'What is said in calls is not encrypted: set ENCRYPT_CALLS=true',
      });
    await db.transaction(async (tx) => {
      await addTeamKey(tx, { teamId });
      const startAfter = new Date(now() + NEW_KEY_MS);
      await jobs.send(tx, encryptFilesJob, { teamId }, { dedupeKey: teamId, startAfter });
    });
    return presentTeam(team);
  });

  serveTeamless(routing, operations.createKey, async ({ params, body }) => {
    const teamId = params.id;
    await getTeam(db, { teamId });
    const { apiKey, key } = await createApiKey(db, { teamId, name: body.name, origin: OPERATOR });
    return { ...presentApiKey(apiKey), key };
  });
}

function checked(merged: unknown): z.output<typeof TeamConfigSchema> {
  const result = validate(TeamConfigSchema, merged);
  if (!result.ok) throw invalid(result.faults);
  return result.value;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

function presentTeam(team: TeamRecord): Team {
  const { id, name, limits, mostRetentionDays, createdAt } = team;
  const { suspendedAt, suspensionReason, deletedAt } = team;
  return {
    id,
    name,
    status: deletedAt ? 'deleting' : suspendedAt ? 'suspended' : 'active',
    ...(suspendedAt
      ? { suspension: { since: suspendedAt.toISOString(), reason: suspensionReason ?? '' } }
      : {}),
    limits,
    retentionDays: mostRetentionDays,
    createdAt: createdAt.toISOString(),
  };
}
