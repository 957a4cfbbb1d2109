import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditTrail } from '../../src/api/audit/trail.ts';
import type { AuditEntry } from '../../src/contract/audit.ts';
import { ChainCheck } from '../../src/lib/audit-chain.ts';
import { newCallId } from '../../src/lib/ids.ts';
import { listAudit, SERVICE_CHAIN } from '../../src/store/audit.ts';
import { createCall } from '../../src/store/calls.ts';
import { suspendTeam } from '../../src/store/teams.ts';
import { createClient, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { withDatabase } from '../support/postgres.ts';
import { join, PASSWORD, Visitor } from '../support/visitor.ts';

const LOG = '/auth/v1/audit';
const TOOLS = '/assistants/v1/tools';
const KEY = 'operator-key-of-the-test';
const MANY = { perSecond: 1e6, burst: 1e6 };
const MINUTE_MS = 60_000;

const AUDIT = '/auth/v1/audit';

const toolNamed = (name: string) => ({
  function: { name },
  server: { url: 'https://tools.example' },
});

let counter = 0;
const newEmail = () => `audited${++counter}@example.com`;

withDatabase('what is logged', ({ db, newTeam }) => {
  let api: TestApi;
  let trail: AuditTrail;
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (fields: unknown) => errors.push(fields) };
  beforeAll(async () => {
    trail = new AuditTrail({ db: db(), clock, log });
    api = await startTestApi(db(), {
      audit: trail,
      operatorKey: KEY,
      limits: { signIns: { address: MANY, account: MANY }, strangers: MANY },
    });
  });
  afterAll(() => api.close());

  /** The entries of a chain, oldest first, without what differs from run to run. */
  const logged = async (chain: string) => {
    await trail.flush();
    const entries = (await listAudit(db(), { chain, limit: 1000 })) as readonly AuditEntry[];
    return entries.toReversed();
  };
  const actionsOf = async (chain: string) =>
    (await logged(chain)).map(({ action, outcome }) => `${action} ${outcome}`);

  test('changes, with who made them to what, from where', async () => {
    const key = await api.client(await newTeam());
    const tool = await key.post(TOOLS, toolNamed('book'));
    await key.delete(`${TOOLS}/${tool.body._id}`);
    const entries = await logged(key.teamId);
    expect(entries).toMatchObject([
      { action: 'createTool', subject: tool.body._id, outcome: 'done' },
      { action: 'deleteTool', subject: tool.body._id, outcome: 'done' },
    ]);
    for (const { actor, address, requestId } of entries) {
      expect(actor).toMatchObject({ type: 'api-key', name: 'Test' });
      expect(address).toBe('127.0.0.1');
      expect(requestId).toBeTruthy();
    }
  });

  test('people by name, also after they have gone', async () => {
    const key = await api.client(await newTeam());
    const email = newEmail();
    const ada = await join(api.app, key, { email, role: 'admin' });
    const { person } = (await ada.get('/auth/v1/me')).body;
    await ada.post('/auth/v1/api-keys', { name: 'CI', role: 'viewer' });
    await key.delete(`/auth/v1/people/${person.id}`);
    expect(await actionsOf(key.teamId)).toEqual([
      'createInvitation done',
      'acceptInvitation done',
      'createApiKey done',
      'removePerson done',
    ]);
    const [, , made] = await logged(key.teamId);
    expect(made?.actor).toEqual({ type: 'person', id: person.id, name: person.name });
  });

  test('signing in, failing to, and signing out; unknown addresses in the service’s own log', async () => {
    const key = await api.client(await newTeam());
    const email = newEmail();
    await join(api.app, key, { email, role: 'viewer' });
    const visitor = new Visitor(api.app);
    await visitor.post('/auth/v1/sign-in', { email, password: 'not the right one' });
    await visitor.post('/auth/v1/sign-in', { email, password: PASSWORD });
    await visitor.post('/auth/v1/sign-out');
    expect((await actionsOf(key.teamId)).slice(2)).toEqual([
      'signIn refused',
      'signIn done',
      'signOut done',
    ]);
    const unknown = newEmail();
    await visitor.post('/auth/v1/sign-in', { email: unknown, password: 'not the right one' });
    const service = await logged(SERVICE_CHAIN);
    expect(service.at(-1)).toMatchObject({
      ...{ action: 'signIn', outcome: 'refused', actor: { type: 'nobody' } },
    });
    // People type passwords where the address belongs.
    expect(JSON.stringify(service)).not.toContain(unknown);
  });

  test('what was refused for want of a role', async () => {
    const key = await api.client(await newTeam());
    const viewer = await join(api.app, key, { email: newEmail(), role: 'viewer' });
    await viewer.post(TOOLS, toolNamed('book'));
    expect((await actionsOf(key.teamId)).at(-1)).toBe('createTool refused');
  });

  test('what was mistaken or not there is not', async () => {
    const key = await api.client(await newTeam());
    await key.post(TOOLS, { no: 'such' });
    await key.delete(`${TOOLS}/none`);
    expect(await logged(key.teamId)).toEqual([]);
  });

  describe('reading', () => {
    const withCall = async () => {
      const key = await api.client(await newTeam());
      const call = await createCall(db(), {
        ...{ id: newCallId('web'), teamId: key.teamId, callType: 'web', direction: 'inbound' },
        snapshot: callSnapshot,
      });
      return { key, path: `/calls/v1/conversations/${call.id}`, id: call.id };
    };

    test('records, transcripts and events of calls', async () => {
      const { key, path, id } = await withCall();
      for (const part of ['', '/transcript', '/events']) await key.get(path + part);
      await key.get('/calls/v1/conversations');
      expect(await logged(key.teamId)).toMatchObject([
        { action: 'getCall', subject: id },
        { action: 'getCallTranscript', subject: id },
        { action: 'getCallEvents', subject: id },
        { action: 'listCalls' },
      ]);
    });

    test('the same within a minute is one entry, and the next minute’s another', async () => {
      const { key, path } = await withCall();
      for (let n = 0; n < 5; n++) await key.get(path);
      await clock.advance(MINUTE_MS);
      for (let n = 0; n < 5; n++) await key.get(path);
      const other = await join(api.app, key, { email: newEmail(), role: 'reviewer' });
      await other.get(path);
      const reads = (await logged(key.teamId)).filter(({ action }) => action === 'getCall');
      expect(reads.map(({ actor }) => actor.type)).toEqual(['api-key', 'api-key', 'person']);
    });

    test('secrets of servers, but not what hides them', async () => {
      const key = await api.client(await newTeam());
      const viewer = await join(api.app, key, { email: newEmail(), role: 'viewer' });
      const server = { url: 'https://tools.example', secret: 'hidden' };
      const { body } = await key.post(TOOLS, { function: { name: 'book' }, server });
      const before = (await logged(key.teamId)).length;
      await viewer.get(`${TOOLS}/${body._id}`);
      expect(await logged(key.teamId)).toHaveLength(before);
      await key.get(`${TOOLS}/${body._id}`);
      expect((await logged(key.teamId)).at(-1)).toMatchObject({
        ...{ action: 'getTool', subject: body._id, actor: { type: 'api-key' } },
      });
    });
  });

  test('what was refused since the team is suspended, once a minute', async () => {
    const key = await api.client(await newTeam());
    const suspension = { reason: 'unpaid', farewell: null, now: new Date() };
    await suspendTeam(db(), { teamId: key.teamId, ...suspension });
    for (let n = 0; n < 3; n++) expect((await key.post(TOOLS, toolNamed('book'))).status).toBe(403);
    expect(await logged(key.teamId)).toMatchObject([
      { action: 'createTool', outcome: 'refused', actor: { type: 'api-key', name: 'Test' } },
    ]);
  });

  test('a caller’s number is cut to its end', async () => {
    const key = await api.client(await newTeam());
    await key.get('/privacy/v1/callers/%2B14155550123');
    const [entry] = await logged(key.teamId);
    expect(entry).toMatchObject({ subject: '…123' });
  });

  describe('the operator', () => {
    let operator: TestClient;
    beforeAll(() => {
      operator = createClient(api.app, { key: KEY, teamId: '' });
    });

    test('in the log of the team that it is about', async () => {
      const { body } = await operator.post('/admin/v1/teams', { name: 'Clinic' });
      await operator.post(`/admin/v1/teams/${body.id}/suspend`, { reason: 'unpaid' });
      expect(await logged(body.id)).toMatchObject([
        { action: 'createTeam', actor: { type: 'operator' }, subject: body.id },
        { action: 'suspendTeam', actor: { type: 'operator' }, subject: body.id },
      ]);
    });

    test('exports the log of what concerns no team', async () => {
      const { headers, status } = await operator.get('/admin/v1/audit/export');
      expect(status).toBe(200);
      expect(headers['x-audit-chain']).toBe(SERVICE_CHAIN);
      expect(headers['x-audit-head']).toMatch(/^\d+:\w*:genuine$/);
    });
  });

  describe('the list and the export', () => {
    const withEntries = async () => {
      const key = await api.client(await newTeam());
      for (const name of ['a', 'b', 'c']) await key.post(TOOLS, toolNamed(name));
      await trail.flush();
      return key;
    };

    test('are filtered by who, what, outcome and when', async () => {
      const key = await withEntries();
      const ada = await join(api.app, key, { email: newEmail(), role: 'viewer' });
      const { person } = (await ada.get('/auth/v1/me')).body;
      expect((await ada.post(TOOLS, toolNamed('d'))).status).toBe(403);
      await trail.flush();
      const found = async (query: Readonly<Record<string, string>>) =>
        (await key.get(`${AUDIT}?${new URLSearchParams(query)}`)).body.map(
          ({ action, outcome }: AuditEntry) => `${action} ${outcome}`,
        );
      const all = (await key.get(AUDIT)).body as AuditEntry[];
      const tools = all.filter(({ outcome }) => outcome === 'done').slice(-3);
      expect(await found({ actor: person.id })).toContain('createTool refused');
      expect(await found({ actor: person.id })).not.toContain('createTool done');
      expect(await found({ outcome: 'refused' })).toEqual(['createTool refused']);
      expect(await found({ about: 'createTool', outcome: 'done' })).toHaveLength(3);
      expect(await found({ about: tools[0]?.subject as string })).toEqual(['createTool done']);
      const at = Date.parse(all.at(-1)?.at as string);
      expect(await found({ endDate: new Date(at - 1).toISOString() })).toEqual([]);
      expect(await found({ startDate: new Date(at).toISOString() })).toHaveLength(all.length);
      expect(await found({ about: 'nothing of that name' })).toEqual([]);
    });

    test('are checked: whole as they were written, else the first broken link is named', async () => {
      const key = await withEntries();
      const check = async () => (await key.get(`${AUDIT}/check`)).body;
      expect(await check()).toEqual({ entries: 3 });
      await trail.flush();
      const { entries: before } = await check();
      expect(before).toBe(4);
      await db().transaction(async (tx) => {
        await tx.execute(sql`alter table audit_entries disable trigger all`);
        await tx.execute(sql`update audit_entries set action = 'getTool'
          where chain = ${key.teamId} and seq = 2`);
        await tx.execute(sql`alter table audit_entries enable trigger all`);
      });
      expect(await check()).toEqual({ entries: 1, fault: 'entry 2 is not what was written' });
    });

    test('of another team are neither listed nor checked', async () => {
      const [one, other] = [await withEntries(), await api.client(await newTeam())];
      expect((await other.get(`${AUDIT}?about=createTool`)).body).toEqual([]);
      expect((await other.get(`${AUDIT}/check`)).body).toEqual({ entries: 0 });
      expect((await one.get(`${AUDIT}?about=createTool`)).body).toHaveLength(3);
    });

    test('are for admins, page by page, newest first', async () => {
      const key = await withEntries();
      const seqs = async (url: string) => {
        const page = await key.get(url);
        const next = /^<([^>]+)>/.exec(page.headers.link ?? '')?.[1];
        return { seqs: page.body.map(({ seq }: AuditEntry) => seq), next };
      };
      const first = await seqs(`${LOG}?limit=2`);
      expect(first.seqs).toEqual([3, 2]);
      expect(await seqs(first.next as string)).toEqual({ seqs: [1], next: undefined });
      expect((await key.get(`${LOG}?cursor=x`)).status).toBe(400);
    });

    test('as lines that prove themselves', async () => {
      const key = await withEntries();
      const { text, headers } = await key.get(`${LOG}/export`);
      const check = new ChainCheck(key.teamId);
      const entries = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(entries.map((entry) => check.add(entry))).toEqual([undefined, undefined, undefined]);
      const { seq, hash } = check.head;
      expect(headers['x-audit-head']).toBe(`${seq}:${hash}:genuine`);
    });

    test('as a table, in which nothing is a formula', async () => {
      const key = await withEntries();
      const { body } = await key.post('/auth/v1/api-keys', { name: '=1+1, "x"', role: 'builder' });
      const formula = createClient(api.app, { key: body.key, teamId: key.teamId });
      await formula.post(TOOLS, toolNamed('d'));
      await trail.flush();
      const { text, headers } = await key.get(`${LOG}/export?format=csv`);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(text.split('\r\n')[0]).toMatch(/^seq,at,actorType,.*hash$/);
      expect(text).toContain(`"'=1+1, ""x"""`);
    });

    test('another team’s log is its own', async () => {
      const [key, other] = [await withEntries(), await withEntries()];
      const { text } = await other.get(`${LOG}/export`);
      for (const { subject } of await logged(key.teamId)) expect(text).not.toContain(subject);
    });
  });

  describe('when the log cannot be written', () => {
    /** Rejects inserts until it is lifted. */
    const block = async () => {
      await db().execute(
        sql`alter table audit_entries add constraint blocked check (seq < 0) not valid`,
      );
      return () => db().execute(sql`alter table audit_entries drop constraint blocked`);
    };

    test('requests go on, the operator is told, and it is written once it can be', async () => {
      const key = await api.client(await newTeam());
      const lift = await block();
      expect((await key.post(TOOLS, toolNamed('a'))).status).toBe(201);
      errors.length = 0;
      await trail.flush();
      expect(errors).toMatchObject([{ waiting: 1 }]);
      expect(trail.unwritten).toBe(1);
      await lift();
      expect(await actionsOf(key.teamId)).toEqual(['createTool done']);
      expect(trail.unwritten).toBe(0);
    });

    test('no more wait than the limit, and the log says how many were lost', async () => {
      const teamId = await newTeam();
      const small = new AuditTrail({ db: db(), clock, log, limits: { waiting: 3, group: 2 } });
      const lift = await block();
      for (let n = 0; n < 8; n++)
        small.note({
          ...{ chain: teamId, actor: { type: 'service' }, action: 'test', outcome: 'done' },
        });
      await small.flush();
      expect(small.unwritten).toBe(8);
      await lift();
      await small.flush();
      expect(await logged(teamId)).toHaveLength(3);
      expect((await logged(SERVICE_CHAIN)).at(-1)).toMatchObject({
        ...{ action: 'auditEntriesLost', subject: '5', actor: { type: 'service' } },
      });
      expect(small.unwritten).toBe(0);
    });

    test('it is tried again by itself', async () => {
      const teamId = await newTeam();
      const own = new ManualClock();
      const patient = new AuditTrail({ db: db(), clock: own, log });
      const lift = await block();
      errors.length = 0;
      patient.note({
        ...{ chain: teamId, actor: { type: 'service' }, action: 'test', outcome: 'done' },
      });
      await own.advance(200);
      await expect.poll(() => errors.length).toBe(1);
      await lift();
      await expect
        .poll(async () => {
          await own.advance(2000);
          return patient.unwritten;
        })
        .toBe(0);
      expect(await actionsOf(teamId)).toEqual(['test done']);
    });
  });
});
