import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { startChatEmulator } from '../support/chat-completions-emulator.ts';
import { isLong, rowsOf } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { dial } from '../support/service-call.ts';
import { OPERATOR_KEY, ServiceApi, type ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

interface NewTeam {
  readonly id: string;
  readonly apiKey: { readonly key: string };
}

/** Its language, what is asked when it is suspended, and what its callers hear. */
type SuspendedTeam = readonly [string, { farewell?: string }, string];

const CALLS = '/calls/v1/conversations';
const TALKER = {
  name: 'Talker',
  assistantSystemPrompt: 'Talk.',
  welcomeMessage: 'Hello.',
  recordingEnabled: true,
  idleTimeout: 600,
};

describe('teams of a running service', () => {
  let folder: string;
  let service: ServiceProcess;
  let operator: ServiceApi;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-teams-'));
    service = await startTestService(folder, { ADMIN_KEY: OPERATOR_KEY });
    operator = new ServiceApi(service.url, OPERATOR_KEY);
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const makeTeam = async (limits: object = {}) => {
    const body = { name: 'Tenant', limits };
    const made = await operator.json<NewTeam>('/admin/v1/teams', { method: 'POST', body });
    return { id: made.id, api: new ServiceApi(service.url, made.apiKey.key) };
  };
  const suspend = (id: string, body: object) =>
    operator.json(`/admin/v1/teams/${id}/suspend`, { method: 'POST', body });
  const resume = (id: string) =>
    operator.json(`/admin/v1/teams/${id}/resume`, { method: 'POST', body: {} });

  test.concurrent.each(
    rowsOf<SuspendedTeam, SuspendedTeam>({
      usual: [['fr-FR', {}, 'Désolé, ce service n’est plus disponible. Au revoir.']],
      long: [
        ['en-US', {}, 'Sorry, this service is not available any more. Goodbye.'],
        ['en-US', { farewell: 'We are closed for good.' }, 'We are closed for good.'],
      ],
    }),
  )('a live call of a suspended team ends with words (%s, %j)', async (languages, words, said) => {
    const { id, api } = await makeTeam();
    const config = { speech: { stt: { vendor: 'offline', languages } } };
    const call = await dial(api, { assistant: { ...TALKER, config } });
    await eventually(() => expect(call.said).toContain('assistant: Hello.'));
    await suspend(id, { reason: 'unpaid', ...words });
    await eventually(() => expect(call.said).toContain(`assistant: ${said}`));
    await eventually(() => expect(call.errors).toContain('team-suspended'));
    await resume(id);
    await eventually(async () => {
      const record = await api.json<Call>(`${CALLS}/${call.id}`);
      expect(record).toMatchObject({ status: 'finished', endReason: 'team-suspended' });
      expect(record.messages?.map(({ text }) => text)).toContain(said);
    });
  });

  test.runIf(isLong)(
    'a deleted team leaves no file, and its live call ends with words',
    { concurrent: true },
    async () => {
      const { id, api } = await makeTeam();
      const assistant = await api.json<{ _id: string }>('/assistants/v1/assistants', {
        method: 'POST',
        body: TALKER,
      });
      const base = await api.json<{ id: string }>('/kb/v1/knowledge-bases', {
        method: 'POST',
        body: { title: 'Base' },
      });
      await api.json(`/kb/v1/knowledge-bases/${base.id}/faq-template`, {
        method: 'POST',
        body: { faq: [{ question: 'Why?', answer: 'Because.' }] },
      });
      const form = new FormData();
      form.append('file', new Blob(['Opening hours: nine to five.']), 'hours.txt');
      const file = await eventually(async () => {
        const upload = await fetch(`${service.url}/kb/v1/files`, {
          method: 'POST',
          headers: { authorization: `Bearer ${api.key}` },
          body: form,
        });
        expect(upload.status).toBe(200);
        return (await upload.json()) as { id: string };
      });
      const number = await api.json<{ _id: string }>('/assistants/v1/numbers/emulator', {
        method: 'POST',
        body: { number: '+15005552999' },
      });
      await api.json(`/assistants/v1/numbers/${number._id}`, {
        method: 'PUT',
        body: { assistantId: assistant._id },
      });
      const call = await dial(api, { assistantId: assistant._id });
      await eventually(() => expect(call.said).toContain('assistant: Hello.'));
      const names = async () =>
        (await readdir(join(folder, 'data'), { recursive: true })).join('\n');
      expect(await names()).toContain(call.id);
      expect(existsSync(join(folder, 'data/files', file.id))).toBe(true);

      await operator.json(`/admin/v1/teams/${id}`, { method: 'DELETE' });
      await eventually(() => expect(call.said.join()).toContain('not available any more'));
      await eventually(async () => {
        const answer = await fetch(`${service.url}/admin/v1/teams/${id}`, {
          headers: { authorization: `Bearer ${OPERATOR_KEY}` },
        });
        expect(answer.status).toBe(404);
      });
      const left = await names();
      for (const name of [call.id, file.id]) expect(left).not.toContain(name);
    },
  );

  test
    .runIf(isLong)
    .concurrent('a call uses the team’s own account at a vendor within seconds', async () => {
      await using emulator = await startChatEmulator({ apiKey: 'key-of-the-team' });
      const { id, api } = await makeTeam();
      const assistant = {
        ...TALKER,
        assistantProvider: 'openai',
        assistantModel: 'gpt-test',
        dtmfInputEnabled: true,
      };
      await expect(dial(api, { assistant })).rejects.toThrow('openai has no key');
      await operator.json(`/admin/v1/teams/${id}/vendors/openai`, {
        method: 'PUT',
        body: { apiKey: 'key-of-the-team', baseUrl: emulator.baseUrl },
      });
      emulator.script({ deltas: ['We are open.'] });
      const call = await eventually(() => dial(api, { assistant }));
      await eventually(() => expect(call.said).toContain('assistant: Hello.'));
      for (const key of ['1', '#']) call.caller.dtmf(key);
      await eventually(() => expect(call.said).toContain('assistant: We are open.'));
      expect(emulator.requests[0]?.headers.authorization).toBe('Bearer key-of-the-team');
      const other = await makeTeam();
      await expect(dial(other.api, { assistant })).rejects.toThrow('openai has no key');
      call.caller.hangup();
    });

  test
    .skipIf(isLong)
    .concurrent(
      'a team that may hold two calls holds two, and another one holds its own',
      async () => {
        const [full, other] = [await makeTeam({ liveCalls: 2 }), await makeTeam({ liveCalls: 2 })];
        const attempts = await Promise.allSettled(
          Array.from({ length: 6 }, () => dial(full.api, { assistant: TALKER })),
        );
        const held = attempts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
        expect(held).toHaveLength(2);
        const refused = attempts.find((one) => one.status === 'rejected');
        expect(String(refused?.reason)).toContain('429');
        expect(String(refused?.reason)).toContain('live-calls');
        const free = await dial(other.api, { assistant: TALKER });
        for (const { caller } of [...held, free]) caller.hangup();
        await eventually(async () => {
          const { now } = await operator.json<{ now: { liveCalls: number } }>(
            `/admin/v1/teams/${full.id}/usage`,
          );
          expect(now.liveCalls).toBe(0);
        });
        const again = await dial(full.api, { assistant: TALKER });
        again.caller.hangup();
      },
    );
});
