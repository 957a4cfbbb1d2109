import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { teams } from './schema/teams.ts';
import { vendorCredentials } from './schema/vendor-credentials.ts';
import { sealerOf } from './sealing.ts';

/** A team's account at a vendor, without its key. */
export type VendorAccountRecord = Omit<typeof vendorCredentials.$inferSelect, 'apiKey' | 'teamId'>;

/** A team's account at a vendor, with its key. */
export interface OpenVendorAccount {
  readonly teamId: string;
  readonly vendor: string;
  readonly apiKey: string;
  readonly baseUrl: string | null;
  readonly concurrency: number | null;
  /** Differs after each change. */
  readonly version: string;
}

interface One {
  readonly teamId: string;
  readonly vendor: string;
}

const shown = {
  vendor: vendorCredentials.vendor,
  baseUrl: vendorCredentials.baseUrl,
  concurrency: vendorCredentials.concurrency,
  updatedAt: vendorCredentials.updatedAt,
};

const own = ({ teamId, vendor }: One) =>
  and(eq(vendorCredentials.teamId, teamId), eq(vendorCredentials.vendor, vendor));

/** Sets or replaces a team's account at a vendor; its key is sealed. */
export async function setVendorAccount(
  db: Db,
  params: One & {
    readonly apiKey: string;
    readonly baseUrl: string | null;
    readonly concurrency: number | null;
  },
): Promise<VendorAccountRecord> {
  const { teamId, vendor, baseUrl, concurrency } = params;
  const apiKey = sealerOf(db).seal(params.apiKey, teamId);
  const row = { apiKey, baseUrl, concurrency, updatedAt: new Date() };
  const [record] = await db
    .insert(vendorCredentials)
    .values({ teamId, vendor, ...row })
    .onConflictDoUpdate({
      target: [vendorCredentials.teamId, vendorCredentials.vendor],
      set: row,
    })
    .returning(shown);
  return record as VendorAccountRecord;
}

/** A team's accounts, by vendor. */
export async function listVendorAccounts(
  db: Db,
  { teamId }: Pick<One, 'teamId'>,
): Promise<readonly VendorAccountRecord[]> {
  return db
    .select(shown)
    .from(vendorCredentials)
    .where(eq(vendorCredentials.teamId, teamId))
    .orderBy(asc(vendorCredentials.vendor));
}

/** Throws NotFoundError. */
export async function deleteVendorAccount(db: Db, params: One): Promise<void> {
  const [gone] = await db.delete(vendorCredentials).where(own(params)).returning(shown);
  if (!gone) throw new NotFoundError('vendor-account', params.vendor);
}

/** Changes whenever an account of a team or a team's limit on vendors does. */
export async function vendorsMark(db: Db): Promise<string> {
  const { rows } = await db.execute<{ mark: string }>(sql`select concat(
    (select md5(string_agg(api_key || coalesce(base_url, '') || coalesce(concurrency, 0), ''
      order by team_id, vendor)) from ${vendorCredentials}), ' ',
    (select md5(string_agg(id || (limits ->> 'vendorConcurrency'), '' order by id))
      from ${teams} where limits ? 'vendorConcurrency')) as mark`);
  return rows[0]?.mark ?? '';
}

/** All accounts of all teams, for calls. */
export async function openVendorAccounts(db: Db): Promise<readonly OpenVendorAccount[]> {
  const rows = await db.select().from(vendorCredentials);
  const sealer = sealerOf(db);
  // The sealed key differs after each change, since sealing draws a random number.
  return rows.map(({ updatedAt: _, ...row }) => ({
    ...row,
    apiKey: sealer.open(row.apiKey, row.teamId),
    version: JSON.stringify(row),
  }));
}

/** The teams that may make only so many requests of a kind to a vendor at once. */
export async function listVendorLimits(
  db: Db,
): Promise<readonly { readonly teamId: string; readonly most: number }[]> {
  const rows = await db
    .select({ teamId: teams.id, limits: teams.limits })
    .from(teams)
    .where(sql`${teams.limits} ? 'vendorConcurrency'`);
  return rows.flatMap(({ teamId, limits }) =>
    limits.vendorConcurrency === undefined ? [] : [{ teamId, most: limits.vendorConcurrency }],
  );
}
