import { and, asc, desc, eq, gt, gte, lt, lte, or } from 'drizzle-orm';
import { type ChainedEntry, linkHash } from '../lib/audit-chain.ts';
import { SealError } from '../lib/seal.ts';
import type { Db } from './db.ts';
import { auditEntries, auditHeads } from './schema/audit.ts';
import { sealerOf } from './sealing.ts';
import { storableText } from './storable.ts';

/** The chain of what concerns no team. */
export const SERVICE_CHAIN = 'service';

/** Something that is to be logged. */
export interface AuditNote {
  /** A team's id, or {@link SERVICE_CHAIN}. */
  readonly chain: string;
  readonly at: Date;
  readonly actor: ChainedEntry['actor'];
  readonly action: string;
  readonly subject?: string | undefined;
  readonly outcome: 'done' | 'refused';
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
}

type Row = typeof auditEntries.$inferSelect;

const MAX_CHARS = 300;
const SEAL_OWNER = 'audit';

const fitted = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : storableText(text.slice(0, MAX_CHARS));

/** Appends to the chains, in one transaction. Several processes may do so at once. */
export async function appendAudit(db: Db, notes: readonly AuditNote[]): Promise<void> {
  // In an order that all processes share, so that none waits for another in a circle.
  const chains = [...Map.groupBy(notes, ({ chain }) => chain)].sort(([a], [b]) => (a < b ? -1 : 1));
  await db.transaction(async (tx) => {
    for (const [chain, some] of chains) await appendTo(tx, chain, some);
  });
}

async function appendTo(tx: Db, chain: string, notes: readonly AuditNote[]): Promise<void> {
  const sealer = sealerOf(tx);
  const sealHead = (seq: number, hash: string) =>
    sealer.seal(`${seq}:${hash}`, `${SEAL_OWNER} ${chain}`);
  await tx
    .insert(auditHeads)
    .values({ chain, seq: 0, hash: '', sealed: sealHead(0, '') })
    .onConflictDoNothing();
  const [head] = await tx
    .select()
    .from(auditHeads)
    .where(eq(auditHeads.chain, chain))
    .for('update');
  let { seq, hash } = head as typeof auditHeads.$inferSelect;
  const rows = notes.map((note): Row => {
    seq++;
    const entry = {
      ...{ seq, at: note.at.toISOString(), outcome: note.outcome },
      actor: { type: note.actor.type, id: fitted(note.actor.id), name: fitted(note.actor.name) },
      action: fitted(note.action) as string,
      subject: fitted(note.subject),
      address: fitted(note.address),
      requestId: fitted(note.requestId),
    };
    hash = linkHash(chain, hash, entry);
    const { type, id = null, name = null } = entry.actor;
    return {
      ...{ chain, seq, at: note.at, hash, outcome: entry.outcome, action: entry.action },
      ...{ actorType: type, actorId: id, actorName: name },
      subject: entry.subject ?? null,
      address: entry.address ?? null,
      requestId: entry.requestId ?? null,
    };
  });
  await tx.insert(auditEntries).values(rows);
  await tx
    .update(auditHeads)
    .set({ seq, hash, sealed: sealHead(seq, hash) })
    .where(eq(auditHeads.chain, chain));
}

/** Which entries; without a field, any. */
export interface AuditFilter {
  /** Id of a person or API key. */
  readonly actor?: string | undefined;
  /** An action, or the id of what something was done to. */
  readonly about?: string | undefined;
  readonly outcome?: AuditNote['outcome'] | undefined;
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
}

/** Entries of a chain that match, newest first, before the one of the number `before`. */
export async function listAudit(
  db: Db,
  params: AuditFilter & {
    readonly chain: string;
    readonly limit: number;
    readonly before?: number | undefined;
  },
): Promise<readonly ChainedEntry[]> {
  const { chain, limit, before, actor, about, outcome, startDate, endDate } = params;
  const rows = await db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.chain, chain),
        before === undefined ? undefined : lt(auditEntries.seq, before),
        actor === undefined ? undefined : eq(auditEntries.actorId, actor),
        about === undefined
          ? undefined
          : or(eq(auditEntries.action, about), eq(auditEntries.subject, about)),
        outcome && eq(auditEntries.outcome, outcome),
        startDate && gte(auditEntries.at, startDate),
        endDate && lte(auditEntries.at, endDate),
      ),
    )
    .orderBy(desc(auditEntries.seq))
    .limit(limit);
  return rows.map(toEntry);
}

const PAGE = 500;

/** All entries of a chain, oldest first, in pages. */
export async function* readAudit(
  db: Db,
  { chain }: { readonly chain: string },
): AsyncGenerator<readonly ChainedEntry[]> {
  for (let after = 0; ; ) {
    const rows = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.chain, chain), gt(auditEntries.seq, after)))
      .orderBy(asc(auditEntries.seq))
      .limit(PAGE);
    if (rows.length > 0) yield rows.map(toEntry);
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.seq as number;
  }
}

/** The end of a chain; `genuine`: it was sealed with the key of the service. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
  readonly genuine: boolean;
}

export async function readAuditHead(
  db: Db,
  { chain }: { readonly chain: string },
): Promise<AuditHead> {
  const [head] = await db.select().from(auditHeads).where(eq(auditHeads.chain, chain));
  if (!head) return { seq: 0, hash: '', genuine: true };
  const { seq, hash, sealed } = head;
  return { seq, hash, genuine: openHead(db, chain, sealed) === `${seq}:${hash}` };
}

function openHead(db: Db, chain: string, sealed: string): string | undefined {
  // What is not sealed would be opened as it is.
  if (!sealed.startsWith('sealed:')) return undefined;
  try {
    return sealerOf(db).open(sealed, `${SEAL_OWNER} ${chain}`);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** Seals the ends of all chains with the present key; those that no key opens stay as they are. */
export async function resealAuditHeads(tx: Db): Promise<void> {
  // In the order in which they are appended to.
  const heads = await tx.select().from(auditHeads).orderBy(asc(auditHeads.chain)).for('update');
  for (const { chain, sealed } of heads) {
    const opened = openHead(tx, chain, sealed);
    if (opened === undefined) continue;
    const resealed = sealerOf(tx).seal(opened, `${SEAL_OWNER} ${chain}`);
    await tx.update(auditHeads).set({ sealed: resealed }).where(eq(auditHeads.chain, chain));
  }
}

function toEntry(row: Row): ChainedEntry {
  const { seq, at, actorType, actorId, actorName, action, outcome, hash } = row;
  const { subject, address, requestId } = row;
  return {
    ...{ seq, at: at.toISOString() },
    actor: {
      type: actorType,
      ...(actorId === null ? {} : { id: actorId }),
      ...(actorName === null ? {} : { name: actorName }),
    },
    ...{ action, outcome },
    ...(subject === null ? {} : { subject }),
    ...(address === null ? {} : { address }),
    ...(requestId === null ? {} : { requestId }),
    hash,
  };
}
