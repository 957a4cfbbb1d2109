import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ChainCheck, type ChainedEntry } from '../../src/lib/audit-chain.ts';
import { Sealer } from '../../src/lib/seal.ts';
import {
  type AuditNote,
  appendAudit,
  listAudit,
  readAudit,
  readAuditHead,
} from '../../src/store/audit.ts';
import { connectDatabase } from '../../src/store/database.ts';
import type { Db } from '../../src/store/db.ts';
import { sealSecrets } from '../../src/store/seal-secrets.ts';
import { withDatabases } from '../support/postgres.ts';

const AT = new Date('2026-05-04T10:00:00.123Z');
const noteOf = (chain: string, subject: string): AuditNote => ({
  ...{ chain, at: AT, action: 'updateTool', subject, outcome: 'done' },
  ...{ actor: { type: 'person', id: 'p1', name: 'Ada' }, address: '192.0.2.1', requestId: 'r1' },
});

let counter = 0;
const newChain = () => `chain-${++counter}`;

/** What a verifier says of a chain, head included. */
async function verdict(db: Db, chain: string): Promise<string> {
  const check = new ChainCheck(chain);
  for await (const page of readAudit(db, { chain }))
    for (const entry of page) {
      const fault = check.add(entry);
      if (fault) return fault;
    }
  const { seq, hash, genuine } = await readAuditHead(db, { chain });
  if (!genuine) return 'the end is forged';
  return check.head.seq === seq && check.head.hash === hash ? 'whole' : 'the end is elsewhere';
}

withDatabases('the audit log', ({ db, database }) => {
  const filled = async (entries = 6) => {
    const chain = newChain();
    const notes = Array.from({ length: entries }, (_, n) => noteOf(chain, `tool ${n + 1}`));
    await appendAudit(db(), notes.slice(0, 2));
    await appendAudit(db(), notes.slice(2));
    return chain;
  };
  /** As somebody with all rights on the database. */
  const tamper = async (statement: ReturnType<typeof sql>) => {
    await db().transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(statement);
    });
  };

  test('keeps what it was given, in order, and is whole', async () => {
    const chain = await filled();
    const [last, before] = await listAudit(db(), { chain, limit: 2 });
    expect(last).toMatchObject({
      ...{ seq: 6, at: AT.toISOString(), action: 'updateTool', subject: 'tool 6', outcome: 'done' },
      ...{ actor: { type: 'person', id: 'p1', name: 'Ada' }, address: '192.0.2.1' },
    });
    expect(before?.seq).toBe(5);
    expect((await listAudit(db(), { chain, limit: 2, before: 5 })).map(({ seq }) => seq)).toEqual([
      4, 3,
    ]);
    expect(await verdict(db(), chain)).toBe('whole');
    expect(await verdict(db(), newChain())).toBe('whole');
  });

  test.each([
    ['update', sql`update audit_entries set actor_name = 'Eve'`],
    ['delete', sql`delete from audit_entries where seq = 1`],
    ['truncate', sql`truncate audit_entries`],
    ['delete of ends', sql`delete from audit_heads`],
    ['setting an end back', sql`update audit_heads set seq = seq - 1`],
  ])('the database refuses its %s', async (_, statement) => {
    const chain = await filled();
    await expect(db().execute(statement)).rejects.toThrow(/append-only/);
    expect(await verdict(db(), chain)).toBe('whole');
  });

  test.each<[string, (chain: string) => ReturnType<typeof sql>, string]>([
    [
      'another name',
      (chain) =>
        sql`update audit_entries set actor_name = 'Eve' where chain = ${chain} and seq = 3`,
      'entry 3 is not what was written',
    ],
    [
      'another time',
      (chain) =>
        sql`update audit_entries set at = at + interval '1 day' where chain = ${chain} and seq = 1`,
      'entry 1 is not what was written',
    ],
    [
      'no subject',
      (chain) => sql`update audit_entries set subject = null where chain = ${chain} and seq = 6`,
      'entry 6 is not what was written',
    ],
    [
      'one missing in the middle',
      (chain) => sql`delete from audit_entries where chain = ${chain} and seq = 4`,
      'entry 4 is missing: 5 follows',
    ],
    [
      'one moved to the end, whose number another got',
      (chain) => sql`update audit_entries set seq = case seq when 2 then 99 else 2 end
        where chain = ${chain} and seq in (2, 3)`,
      'entry 2 is not what was written',
    ],
    [
      'two that have changed places',
      (chain) => sql`update audit_entries a set subject = b.subject from audit_entries b
        where a.chain = ${chain} and b.chain = ${chain} and a.seq in (2, 3) and b.seq = 5 - a.seq`,
      'entry 2 is not what was written',
    ],
    [
      'the latest ones missing',
      (chain) => sql`delete from audit_entries where chain = ${chain} and seq > 4`,
      'the end is elsewhere',
    ],
    [
      'all of it missing',
      (chain) => sql`delete from audit_entries where chain = ${chain}`,
      'the end is elsewhere',
    ],
  ])('shows %s', async (_, statement, expected) => {
    const chain = await filled();
    await tamper(statement(chain));
    expect(await verdict(db(), chain)).toBe(expected);
  });

  test('shows a chain that was written anew, with its end, by somebody without the key', async () => {
    const chain = await filled();
    await tamper(sql`delete from audit_entries where chain = ${chain}`);
    await tamper(sql`delete from audit_heads where chain = ${chain}`);
    const other = connectDatabase(database().connection, {
      size: 1,
      sealer: new Sealer(['the key of a forger']),
    });
    await appendAudit(other.db, [noteOf(chain, 'nothing happened')]);
    await other.close();
    expect(await verdict(db(), chain)).toBe('the end is forged');
    await tamper(sql`update audit_heads set sealed = seq || ':' || hash where chain = ${chain}`);
    expect(await verdict(db(), chain)).toBe('the end is forged');
  });

  test('an entry of one chain is none of another', async () => {
    const [chain, other] = [await filled(), newChain()];
    await tamper(sql`update audit_entries set chain = ${other} where chain = ${chain}`);
    await tamper(sql`update audit_heads set chain = ${other} where chain = ${chain}`);
    expect(await verdict(db(), other)).toBe('entry 1 is not what was written');
  });

  test('written by many at once it stays whole, without a gap', async () => {
    const [a, b] = [newChain(), newChain()];
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        // In both orders, so that writers would wait for each other in a circle.
        appendAudit(
          db(),
          n % 2 ? [noteOf(a, 'x'), noteOf(b, 'y')] : [noteOf(b, 'y'), noteOf(a, 'x')],
        ),
      ),
    );
    for (const chain of [a, b]) {
      expect(await verdict(db(), chain)).toBe('whole');
      expect((await readAuditHead(db(), { chain })).seq).toBe(20);
    }
  });

  test('more entries than a page of them are whole', async () => {
    const chain = await filled(1201);
    expect(await verdict(db(), chain)).toBe('whole');
    const all: ChainedEntry[] = [];
    for await (const page of readAudit(db(), { chain })) all.push(...page);
    expect(all).toHaveLength(1201);
  });

  test('texts that the database cannot keep are kept as it can, and the chain is whole', async () => {
    const chain = newChain();
    const strange = `nul\0 and \ud800 and ${'x'.repeat(1000)}`;
    await appendAudit(db(), [{ ...noteOf(chain, strange), actor: { type: 'nobody' } }]);
    expect(await verdict(db(), chain)).toBe('whole');
  });

  test('its end is sealed again when the key is replaced', async () => {
    const chain = await filled();
    const other = connectDatabase(database().connection, {
      size: 2,
      sealer: new Sealer(['another key of the tests', 'a key of the tests']),
    });
    await sealSecrets(other.db);
    await other.close();
    const replaced = connectDatabase(database().connection, {
      size: 2,
      sealer: new Sealer(['another key of the tests']),
    });
    expect(await verdict(replaced.db, chain)).toBe('whole');
    await replaced.close();
  });
});
