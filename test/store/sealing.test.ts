import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { ToolConfigSchema } from '../../src/contract/tool.ts';
import { newCallId } from '../../src/lib/ids.ts';
import { Sealer } from '../../src/lib/seal.ts';
import { createAssistant, findAssistants, getAssistant } from '../../src/store/assistants.ts';
import { createCall, getCall } from '../../src/store/calls.ts';
import { currentTeamKey } from '../../src/store/current-team-key.ts';
import { connectDatabase } from '../../src/store/database.ts';
import type { Db } from '../../src/store/db.ts';
import { sealSecrets, WrongKeyError } from '../../src/store/seal-secrets.ts';
import { createTool, getTool, listTools, updateTool } from '../../src/store/tools.ts';
import { openVendorAccounts, setVendorAccount } from '../../src/store/vendor-credentials.ts';
import { testVendors } from '../support/api.ts';
import { testDatabase, testSealer, withDatabases } from '../support/postgres.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0';
const HEADER = 'Bearer header-of-the-test';
const server = { url: 'https://tools.example', secret: SECRET, headers: { Authorization: HEADER } };

const toolConfig = ToolConfigSchema.parse({ function: { name: 'book' }, server });
const assistantConfig = assistantConfigSchema(testVendors).parse({
  name: 'A',
  assistantServer: server,
});

/** All rows of all tables, as someone who has stolen the database would read them. */
async function everything(db: Db): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const texts = [];
  for (const { name } of rows) {
    const table = await db.execute(sql`select to_jsonb(t) as row from ${sql.identifier(name)} t`);
    texts.push(JSON.stringify(table.rows));
  }
  return texts.join('\n');
}

withDatabases('secrets at rest', ({ engine, db, database, newTeam }) => {
  test('no table holds one, and reads give them back', async () => {
    const teamId = await newTeam();
    const tool = await createTool(db(), { teamId, config: toolConfig });
    const { id } = await createAssistant(db(), { teamId, config: assistantConfig });
    const snapshot = {
      assistant: assistantConfig,
      variables: { secret: 'x' },
      tools: [{ id: tool.id, config: toolConfig }],
    };
    const call = await createCall(db(), {
      id: newCallId('web'),
      teamId,
      callType: 'web',
      direction: 'inbound',
      snapshot,
    });

    const stored = await everything(db());
    expect(stored).toContain('https://tools.example');
    expect(stored).not.toContain(SECRET);
    expect(stored).not.toContain(HEADER);

    expect(tool.config).toEqual(toolConfig);
    expect((await getTool(db(), { teamId, id: tool.id })).config).toEqual(toolConfig);
    expect((await listTools(db(), { teamId })).items[0]?.config).toEqual(toolConfig);
    expect((await getAssistant(db(), { teamId, id })).config).toEqual(assistantConfig);
    expect((await findAssistants(db(), { teamId, ids: [id] }))[0]?.config).toEqual(assistantConfig);
    expect(call.snapshot).toEqual(snapshot);
    expect((await getCall(db(), { teamId, id: call.id })).snapshot).toEqual(snapshot);

    const changed = { ...toolConfig, server: { ...toolConfig.server, secret: 'another one' } };
    const update = { teamId, id: tool.id, config: changed, expectedVersion: 1 };
    expect((await updateTool(db(), update)).config).toEqual(changed);
    expect(await everything(db())).not.toContain('another one');
  });

  test('a row that somebody moved to another team does not open', async () => {
    const [teamId, thief] = [await newTeam(), await newTeam()];
    const { id } = await createTool(db(), { teamId, config: toolConfig });
    await db().execute(sql`update tools set team_id = ${thief} where id = ${id}`);
    await expect(getTool(db(), { teamId: thief, id })).rejects.toThrow('changed in the store');
    await db().execute(sql`delete from tools where id = ${id}`);
  });

  test('a database without a key keeps no secret at all', async () => {
    const teamId = await newTeam();
    const keyless = connectDatabase(database().connection, { size: 1 });
    try {
      const create = createTool(keyless.db, { teamId, config: toolConfig });
      await expect(create).rejects.toThrow('without a key');
    } finally {
      await keyless.close();
    }
  });

  test('what was stored in the clear is readable, and sealed at the next start; keys can be changed', async () => {
    const fresh = await testDatabase(engine);
    const open = (...keys: [string, ...string[]]) =>
      connectDatabase(fresh.connection, { size: 2, sealer: new Sealer(keys) });
    try {
      const { rows } = await fresh.db.execute<{ id: string }>(sql`
        insert into teams (id, name, created_at) values ('t', 'T', now()) returning id`);
      const teamId = rows[0]?.id as string;
      const ids = [];
      for (let i = 0; i < 201; i++) {
        const config = { ...toolConfig, function: { ...toolConfig.function, name: `t${i}` } };
        ids.push((await createTool(fresh.db, { teamId, config })).id);
      }
      await fresh.db.execute(sql`
        update tools set config = jsonb_set(config::jsonb, '{server}', ${JSON.stringify(toolConfig.server)}::jsonb)`);
      const id = ids[0] as string;
      expect((await getTool(fresh.db, { teamId, id })).config.server.secret).toBe(SECRET);

      await sealSecrets(fresh.db);
      expect(await everything(fresh.db)).not.toContain(SECRET);
      expect((await getTool(fresh.db, { teamId, id })).config.server).toEqual(toolConfig.server);

      const stranger = open('not the key of before');
      await expect(sealSecrets(stranger.db)).rejects.toThrow(WrongKeyError);
      await stranger.close();

      const account = { teamId, vendor: 'openai', baseUrl: null, concurrency: null };
      await setVendorAccount(fresh.db, { ...account, apiKey: 'planted-vendor-key' });
      const teamKey = await currentTeamKey(fresh.db, { teamId });
      const both = open('the next key', 'a key of the tests');
      await sealSecrets(both.db);
      await both.close();
      const stored = await everything(fresh.db);
      expect(stored).not.toContain(`:${testSealer.keyId}:`);
      const next = open('the next key');
      await sealSecrets(next.db);
      expect(await openVendorAccounts(next.db)).toMatchObject([{ apiKey: 'planted-vendor-key' }]);
      expect(await currentTeamKey(next.db, { teamId })).toEqual(teamKey);
      for (const toolId of ids)
        expect((await getTool(next.db, { teamId, id: toolId })).config.server.secret).toBe(SECRET);
      await next.close();
    } finally {
      await fresh.close();
    }
  });
});
