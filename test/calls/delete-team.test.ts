import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { createDeleteTeam } from '../../src/calls/delete-team.ts';
import { createWrapUp, type WrapUpDeps } from '../../src/calls/wrap-up-call.ts';
import { finishCall } from '../../src/store/calls.ts';
import { getTeam, markTeamDeleted } from '../../src/store/teams.ts';
import { allRows } from '../support/all-rows.ts';
import { startTestApi } from '../support/api.ts';
import { clearFiles } from '../support/clear-files.ts';
import { withDatabase } from '../support/postgres.ts';

const attempt = { signal: new AbortController().signal, number: 1, last: false };

withDatabase('the deletion of a team', ({ db, newTeam }) => {
  /** How far the clock is ahead. */
  let aheadMs = 0;
  const filesIn = (recordingsDir: string) => ({
    ...{ db: db(), now: () => Date.now() + aheadMs, recordingsDir, files: clearFiles },
    ledger: { add: async () => undefined },
    removeUnsaved: async () => undefined,
  });
  test('leaves none of its rows and files, and all of another team’s', async () => {
    const other = await newTeam();
    const teamId = await newTeam();
    const folder = await mkdtemp(join(tmpdir(), 'parley-delete-'));
    const api = await startTestApi(db());
    try {
      const [client, kept] = [await api.client(teamId), await api.client(other)];
      const make = async (path: string, body: object) => {
        const { status, body: made, text } = await client.post(path, body);
        expect(status, text).toBeLessThan(300);
        return (made._id ?? made.id) as string;
      };
      const base = await make('/kb/v1/knowledge-bases', { title: 'Planted base' });
      await client.post(`/kb/v1/knowledge-bases/${base}/faq-template`, {
        faq: [{ question: 'Planted question?', answer: 'a' }],
      });
      const tool = await make('/assistants/v1/tools', {
        function: { name: 'planted' },
        server: { url: 'https://tools.example' },
      });
      const assistant = await make('/assistants/v1/assistants', {
        name: 'Planted assistant',
        assistantToolIds: [tool],
        assistantPredefinedTools: { knowledgeBase: true },
        assistantKnowledgeBaseIds: [base],
        assistantServer: { enabled: true, url: 'https://hook.example' },
      });
      const source = 'tests: [{ name: Planted test, turns: [{ say: Hello. }] }]';
      const suiteId = await make('/tests/v1/suites', {
        title: 'T',
        assistantId: assistant,
        source,
      });
      await make('/tests/v1/runs', { suiteId });
      const number = await make('/assistants/v1/numbers/twilio', {
        number: '+14155550111',
        credentials: { accountSid: 'AC1', authToken: 'planted-token' },
      });
      await client.put(`/assistants/v1/numbers/${number}`, { assistantId: assistant });
      const call = await make('/calls/v1/conversations/connect', {
        direction: 'inbound',
        assistantId: assistant,
        metadata: { planted: 'planted metadata' },
      });
      await finishCall(db(), { teamId, id: call, endReason: 'user-hung-up' });
      // Its session has not written all yet.
      await db().execute(sql`update calls set wrap_up = null where id = ${call}`);
      const theirs = await kept.post('/assistants/v1/assistants', { name: 'Kept assistant' });
      await mkdir(folder, { recursive: true });
      for (const extension of ['wav', 'txt'])
        await writeFile(join(folder, `${call}.${extension}`), 'planted');
      await writeFile(join(folder, 'WC-other.wav'), 'kept');
      const removed: string[] = [];
      const handler = createDeleteTeam({
        db: db(),
        // The process that had the call writes its files only now.
        wait: async (ms: number) => {
          aheadMs += ms;
          await writeFile(join(folder, `${call}.txt`), 'planted late');
        },
        files: filesIn(folder),
        removeFile: async (id) => void removed.push(id),
        removeUnsaved: async (id) => void removed.push(id),
      });

      await handler({ teamId }, attempt);
      expect((await getTeam(db(), { teamId })).deletedAt).toBeNull();

      await db().transaction((tx) => markTeamDeleted(tx, { teamId, now: new Date() }));
      await handler({ teamId }, attempt);
      await handler({ teamId }, attempt);
      const left = await allRows(db());
      for (const trace of [teamId, base, tool, assistant, number, call, 'lanted'])
        expect(left.includes(trace), trace).toBe(false);
      expect(left).toContain(theirs.body._id);
      expect(await readdir(folder)).toEqual(['WC-other.wav']);
      expect(removed).toEqual([teamId]);
    } finally {
      await api.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('waits for a live call, and stops waiting when it is told to', async () => {
    await newTeam();
    const teamId = await newTeam();
    const api = await startTestApi(db());
    const client = await api.client(teamId);
    const assistant = { name: 'A', recordingEnabled: false };
    await client.post('/calls/v1/conversations/connect', { direction: 'inbound', assistant });
    await db().transaction((tx) => markTeamDeleted(tx, { teamId, now: new Date() }));
    const stop = new AbortController();
    const none = async () => undefined;
    const deps = {
      ...{ db: db(), files: filesIn(''), removeFile: none, removeUnsaved: none },
      wait: (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }),
    };
    const done = createDeleteTeam(deps)({ teamId }, { ...attempt, signal: stop.signal });
    stop.abort();
    await expect(done).rejects.toThrow();
    expect((await getTeam(db(), { teamId })).deletedAt).not.toBeNull();
    await api.close();
  });

  test('leaves no transcript of a call that is wrapped up meanwhile', async () => {
    const teamId = await newTeam();
    const api = await startTestApi(db());
    const client = await api.client(teamId);
    const files = new Set<string>();
    const markDeleted = () =>
      db().transaction((tx) => markTeamDeleted(tx, { teamId, now: new Date() }));
    const wrapUp = createWrapUp({
      ...{ db: db(), fill: (text: string) => text, onReported: () => undefined },
      keepTranscript: async ({ id }) => {
        files.add(id);
        await markDeleted();
      },
      removeTranscript: async ({ id }) => void files.delete(id),
    } as Partial<WrapUpDeps> as WrapUpDeps);
    const assistant = { name: 'A', recordingEnabled: false, postCallTranscriptsEnabled: true };
    const body = { direction: 'inbound', assistant };
    const made = await client.post('/calls/v1/conversations/connect', body);
    const callId = made.body.id as string;
    await finishCall(db(), { teamId, id: callId, endReason: 'user-hung-up' });

    const kept = vi.spyOn(files, 'add');
    await wrapUp({ callId }, attempt);
    expect([kept.mock.calls, [...files]]).toEqual([[[callId]], []]);
    // A wrap-up that begins after the deletion writes nothing.
    await wrapUp({ callId }, attempt);
    expect(kept).toHaveBeenCalledTimes(1);
    await api.close();
  });
});
