import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { mayDo, ROLES, type Role } from '../../src/contract/role.ts';
import { createApiKey } from '../../src/store/api-keys.ts';
import {
  createClient,
  startTestApi,
  type TestApi,
  type TestClient,
  testVendors,
} from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';
import { join, Visitor } from '../support/visitor.ts';

const operations = operationsOf(createContract(testVendors));
const KEYS = '/auth/v1/api-keys';
const SERVER = {
  url: 'https://tools.example',
  secret: 'secret-of-the-server',
  headers: { Authorization: 'Bearer header-of-the-server' },
};

withDatabase('roles', ({ db, newTeam }) => {
  let api: TestApi;
  let teamId: string;
  let clients: Readonly<Record<Role, TestClient>>;
  let people: Readonly<Record<Role, Visitor>>;

  const clientOf = async (role: Role) => {
    const { key } = await createApiKey(db(), { teamId, name: role, role });
    return [role, createClient(api.app, { key, teamId })] as const;
  };
  beforeAll(async () => {
    api = await startTestApi(db(), { limits: { rate: { perSecond: 1e6, burst: 1e6 } } });
    teamId = await newTeam();
    clients = Object.fromEntries(await Promise.all(ROLES.map(clientOf))) as typeof clients;
    const personOf = async (role: Role) => {
      const email = `${role}@${teamId}.example`;
      return [role, await join(api.app, clients.admin, { email, role })] as const;
    };
    people = Object.fromEntries(await Promise.all(ROLES.map(personOf))) as typeof people;
  });
  afterAll(() => api.close());

  /** Sends the operation something that exists nowhere, or no valid body: allowed or not, nothing changes. */
  const attempt = ({ method, path, body }: Operation, client: Pick<TestClient, 'send'>) =>
    client.send(method, path.replaceAll(/\{\w+\}/g, 'none'), body ? { body: { no: 'such' } } : {});
  const attemptAs = (one: Operation, visitor: Visitor) =>
    attempt(one, { send: (method, url, { body } = {}) => visitor.send(method, url, body) });

  const ofTeams = operations.filter(({ role }) => role !== 'operator');
  // These end the session that every other attempt is made with.
  const ending = ['signOut', 'signOutEverywhere'];
  describe.each(ofTeams.map((operation) => [operation.id, operation] as const))('%s', (id, one) => {
    const isOpen = one.role === 'anyone';
    test.each(ROLES)(
      `as a key of the role %s, where the least role is ${one.role}`,
      async (role) => {
        const { status, text } = await attempt(one, clients[role]);
        if (isOpen || mayDo(role, one.role)) expect([401, 403], text).not.toContain(status);
        else {
          expect(status).toBe(403);
          const reason = one.role === 'person' ? 'people who have signed in' : `role ${one.role}`;
          expect(text).toContain(reason);
        }
      },
    );

    test.skipIf(ending.includes(id)).each(ROLES)(
      `as a person of the role %s, where the least role is ${one.role}`,
      async (role) => {
        // A socket's request carries no session: pages get a token for it.
        if (one.upgrades) return;
        const { status, text } = await attemptAs(one, people[role]);
        if (isOpen || one.role === 'person' || mayDo(role, one.role))
          expect([401, 403], text).not.toContain(status);
        else expect([status, text]).toEqual([403, expect.stringContaining(`role ${one.role}`)]);
      },
    );

    test.runIf(!isOpen)('without a credential', async () => {
      expect((await attemptAs(one, new Visitor(api.app))).status).toBe(401);
    });
  });

  test('whoever may not change a server does not see its secrets, whatever was read before', async () => {
    const { builder, viewer, reviewer } = clients;
    const tools = '/assistants/v1/tools';
    const assistants = '/assistants/v1/assistants';
    const tool = await builder.post(tools, { function: { name: 'book' }, server: SERVER });
    const assistant = await builder.post(assistants, { name: 'A', assistantServer: SERVER });
    const paths = [
      tools,
      `${tools}/${tool.body._id}`,
      assistants,
      `${assistants}/${assistant.body._id}`,
    ];
    for (const path of paths) {
      expect((await builder.get(path)).text).toContain('secret-of-the-server');
      for (const client of [viewer, reviewer]) {
        const { text } = await client.get(path);
        expect(text).toContain('https://tools.example');
        expect(text).not.toMatch(/(?:secret|header)-of-the-server/);
      }
      expect((await builder.get(path)).text).toContain('header-of-the-server');
    }
  });

  test('a key says who it is, when it ends, who made it and when it was last used', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const sent = { name: 'Nightly', role: 'reviewer', expiresAt };
    const made = await clients.admin.post(KEYS, sent);
    expect(made.body).toMatchObject({ ...sent, origin: { type: 'api-key', name: 'admin' } });
    const client = createClient(api.app, { key: made.body.key, teamId });
    expect((await client.get('/auth/v1/me')).body).toMatchObject({
      teamId,
      role: 'reviewer',
      apiKey: { id: made.body.id, name: 'Nightly' },
    });
    const [shown] = (await clients.admin.get(KEYS)).body;
    expect(shown).toMatchObject({ ...sent, lastUsedFrom: '127.0.0.1' });
    expect(Date.parse(shown.lastUsedAt)).toBeLessThanOrEqual(Date.now());
  });

  test('a role that changes holds from the next request on', async () => {
    const { body } = await clients.admin.post(KEYS, { name: 'Changing', role: 'builder' });
    const client = createClient(api.app, { key: body.key, teamId });
    const url = '/assistants/v1/assistants';
    expect((await client.post(url, { name: 'Before' })).status).toBe(201);
    const changed = await clients.admin.patch(`${KEYS}/${body.id}`, { role: 'viewer' });
    expect(changed.body).toMatchObject({ name: 'Changing', role: 'viewer' });
    expect((await client.post(url, { name: 'After' })).status).toBe(403);
    expect((await client.get(url)).status).toBe(200);
  });

  test.each([
    [{ role: 'owner' }, 400],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 400],
    [{ expiresAt: 'soon' }, 400],
    [{ name: ' ' }, 400],
    [{ key: 'mine' }, 400],
    [{ expiresAt: null }, 200],
  ])('a change to %j answers %i', async (change, status) => {
    const { body } = await clients.admin.post(KEYS, { name: 'Some', role: 'viewer' });
    expect((await clients.admin.patch(`${KEYS}/${body.id}`, change)).status).toBe(status);
  });

  test("another team's key cannot be changed", async () => {
    const other = await api.client(await newTeam());
    const { body } = await other.post(KEYS, { name: 'Theirs' });
    const answer = await clients.admin.patch(`${KEYS}/${body.id}`, { role: 'viewer' });
    expect(answer).toMatchObject({ status: 404, body: { message: 'API key not found!' } });
  });
});
