import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendAudit } from '../../src/store/audit.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';

const CLI = join(import.meta.dirname, '../../src/cli/audit.ts');

withDatabase('npm run audit-log', ({ db, newTeam }) => {
  let api: TestApi;
  let url: string;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-audit-'));
    api = await startTestApi(db());
    url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (...args: readonly string[]) =>
    new Promise<{ code: number; out: string }>((resolve) => {
      const child = execFile(process.execPath, [CLI, ...args], { cwd: folder }, (_, out, err) =>
        resolve({ code: child.exitCode ?? -1, out: out + err }),
      );
    });
  const filled = async () => {
    const client = await api.client(await newTeam());
    const { teamId } = client;
    const note = {
      chain: teamId,
      at: new Date(),
      actor: { type: 'service' },
      outcome: 'done',
    } as const;
    await appendAudit(
      db(),
      ['a', 'b', 'c', 'd'].map((action) => ({ ...note, action })),
    );
    return { client, teamId, verify: () => run('verify', '--url', url, '--key', client.key) };
  };

  test('says that a log is whole, of a service and of a file', async () => {
    const { client, teamId, verify } = await filled();
    const { code, out } = await verify();
    expect([code, out]).toEqual([0, expect.stringMatching(/^The log is whole: 4 entries/)]);
    const head = /end: (\S+)/.exec(out)?.[1] as string;
    const { text } = await client.get('/auth/v1/audit/export');
    const file = join(folder, 'export.jsonl');
    await writeFile(file, text);
    expect((await run('verify', file, '--chain', teamId, '--expect', head)).code).toBe(0);
    expect(await run('verify', file, '--chain', teamId, '--expect', `4:${'0'.repeat(64)}`)).toEqual(
      {
        code: 3,
        out: 'The log was tampered with: the entry 4 is not the one expected.\n',
      },
    );
    expect((await run('verify', file)).code).toBe(2);
  });

  test.each(['{"seq": 1, "act', 'null', '[]'])('a line %s is no entry', async (line) => {
    const file = join(folder, 'damaged.jsonl');
    await writeFile(file, `${line}\n`);
    expect(await run('verify', file, '--chain', 'team')).toEqual({
      code: 3,
      out: 'The log was tampered with: the line after entry 0 is no entry.\n',
    });
  });

  test('names the first broken link, and sees that the end is missing', async () => {
    const tamper = (statement: ReturnType<typeof sql>) =>
      db().transaction(async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`);
        await tx.execute(statement);
      });
    const changed = await filled();
    await tamper(
      sql`update audit_entries set action = 'x' where chain = ${changed.teamId} and seq > 2`,
    );
    const { code, out } = await changed.verify();
    expect([code, out]).toEqual([3, expect.stringContaining('entry 3 is not what was written')]);
    const cut = await filled();
    await tamper(sql`delete from audit_entries where chain = ${cut.teamId} and seq > 3`);
    expect((await cut.verify()).out).toContain('the log ends with entry 3, and ended with 4');
  });
});
