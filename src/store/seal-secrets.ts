import { and, eq, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { SealError } from '../lib/seal.ts';
import { keyIdOf } from '../lib/sealed-text.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { resealAuditHeads } from './audit.ts';
import type { Db } from './db.ts';
import { assistants, assistantVersions } from './schema/assistants.ts';
import { calls } from './schema/calls.ts';
import { numbers } from './schema/numbers.ts';

import { callKeys } from './schema/originals.ts';
import { people } from './schema/people.ts';
import { teamKeys } from './schema/privacy.ts';
import { sealingChecks } from './schema/sealing.ts';
import { tools } from './schema/tools.ts';
import { vendorCredentials } from './schema/vendor-credentials.ts';
import { sealerOf } from './sealing.ts';
import { mapServerSecrets } from './server-secrets.ts';
import { storableJson } from './storable.ts';

const CHECK_ID = 1;
const CHECK_TEXT = 'parley';
const CHECK_OWNER = 'sealing-check';
const PAGE_ROWS = 200;

/** The secrets were sealed with a key that is not configured. */
export class WrongKeyError extends Error {
  override readonly name = 'WrongKeyError';
}

/** Columns of documents with secrets. */
const DOCUMENTS = [
  { table: tools, document: tools.config },
  { table: assistants, document: assistants.config },
  { table: assistantVersions, document: assistantVersions.config },
  { table: calls, document: calls.snapshot },
] as const;

/**
 * Seals secrets that are unsealed or sealed with a former key. Throws {@link WrongKeyError} if no configured key can
 * open them.
 */
export async function sealSecrets(db: Db): Promise<void> {
  const sealer = sealerOf(db);
  await db.transaction(async (tx) => {
    // If several nodes start at once, one does this and the others wait.
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.sealing})`);
    const [check] = await tx.select().from(sealingChecks);
    if (check) openCheck(check.sealed, (text) => sealer.open(text, CHECK_OWNER));
    if (check?.sealed.includes(`:${sealer.keyId}:`)) return;
    for (const { table, document } of DOCUMENTS) await resealDocuments(tx, table, document);
    await resealCredentials(tx);
    await resealVendorKeys(tx);
    await resealFactors(tx);
    await resealAuditHeads(tx);
    await resealCallKeys(tx);
    await resealTeamKeys(tx);
    const sealed = sealer.seal(CHECK_TEXT, CHECK_OWNER);
    await tx
      .insert(sealingChecks)
      .values({ id: CHECK_ID, sealed })
      .onConflictDoUpdate({ target: sealingChecks.id, set: { sealed } });
  });
}

function openCheck(sealed: string, open: (text: string) => string): void {
  try {
    open(sealed);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new WrongKeyError(
      'The secrets in the database were sealed with another key: set ENCRYPTION_KEY to that one, ' +
        'or put its file encryption.key back into DATA_DIR. To change keys, give both: ENCRYPTION_KEY=new,old.',
      { cause: error },
    );
  }
}

async function resealCredentials(tx: Db): Promise<void> {
  const sealer = sealerOf(tx);
  const { id, teamId, credentials } = numbers;
  const rows = await tx.select({ id, teamId, credentials }).from(numbers).for('update');
  for (const row of rows) {
    if (row.credentials === null) continue;
    const resealed = sealer.seal(sealer.open(row.credentials, row.teamId), row.teamId);
    await tx.update(numbers).set({ credentials: resealed }).where(eq(id, row.id));
  }
}

async function resealVendorKeys(tx: Db): Promise<void> {
  const sealer = sealerOf(tx);
  for (const { teamId, vendor, apiKey } of await tx.select().from(vendorCredentials).for('update'))
    await tx
      .update(vendorCredentials)
      .set({ apiKey: sealer.seal(sealer.open(apiKey, teamId), teamId) })
      .where(and(eq(vendorCredentials.teamId, teamId), eq(vendorCredentials.vendor, vendor)));
}

async function resealFactors(tx: Db): Promise<void> {
  const sealer = sealerOf(tx);
  const again = (sealed: string | null, id: string) =>
    sealed === null ? null : sealer.seal(sealer.open(sealed, id), id);
  const { id, totpSecret, totpPending } = people;
  for (const row of await tx.select({ id, totpSecret, totpPending }).from(people).for('update'))
    await tx
      .update(people)
      .set({
        totpSecret: again(row.totpSecret, row.id),
        totpPending: again(row.totpPending, row.id),
      })
      .where(eq(id, row.id));
}

async function resealCallKeys(tx: Db): Promise<void> {
  const sealer = sealerOf(tx);
  const rows = await tx
    .select({ callId: callKeys.callId, sealedKey: callKeys.sealedKey, teamId: calls.teamId })
    .from(callKeys)
    .innerJoin(calls, eq(calls.id, callKeys.callId));
  for (const { callId, sealedKey, teamId } of rows) {
    // The key of the team has sealed it, which is sealed anew itself.
    if (keyIdOf(sealedKey) !== undefined) continue;
    await tx
      .update(callKeys)
      .set({ sealedKey: sealer.seal(sealer.open(sealedKey, teamId), teamId) })
      .where(eq(callKeys.callId, callId));
  }
}

async function resealTeamKeys(tx: Db): Promise<void> {
  const sealer = sealerOf(tx);
  for (const { id, teamId, key } of await tx.select().from(teamKeys).for('update'))
    await tx
      .update(teamKeys)
      .set({ key: sealer.seal(sealer.open(key, teamId), teamId) })
      .where(eq(teamKeys.id, id));
}

async function resealDocuments(tx: Db, table: PgTable, document: PgColumn): Promise<void> {
  const sealer = sealerOf(tx);
  let after = '';
  for (;;) {
    const { rows } = await tx.execute<{ id: string; team_id: string; document: unknown }>(sql`
      select id, team_id, ${document} as document from ${table}
      where id > ${after} order by id limit ${PAGE_ROWS} for update`);
    for (const row of rows) {
      const resealed = mapServerSecrets(row.document, (secret) =>
        secret === '' ? '' : sealer.seal(sealer.open(secret, row.team_id), row.team_id),
      );
      if (resealed !== row.document)
        await tx.execute(sql`update ${table} set ${sql.identifier(document.name)} =
          ${storableJson(resealed)}::json where id = ${row.id}`);
    }
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.id as string;
  }
}
