import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Client } from '../../src/client/client.ts';
import { TEMPLATES } from '../../src/console/assistants/templates/all-templates.ts';
import { createFromTemplate } from '../../src/console/assistants/templates/create-from-template.ts';
import type { ConnectedCall } from '../../src/contract/call.ts';
import type { ServiceApi } from '../support/service-process.ts';
import { sharedService } from '../support/shared-service.ts';

const FOLDER = resolve(import.meta.dirname, '../../src/console/assistants/templates');
/** On a machine that is busy, an answer is late. */
const ANSWER_MS = 30_000;

/** A call in writing: what the assistant has said so far, and a way to answer. */
async function writeTo(service: ServiceApi, assistantId: string) {
  const { webCall } = await service.json<ConnectedCall>('/calls/v1/conversations/connect', {
    method: 'POST',
    body: { direction: 'inbound', assistantId },
  });
  const socket = new WebSocket(webCall?.url ?? '');
  const answers: string[] = [];
  socket.on('message', (data, isBinary) => {
    if (isBinary) return;
    const frame = JSON.parse(String(data));
    if (frame.type === 'transcript' && frame.role === 'assistant') answers.push(frame.text);
  });
  await once(socket, 'open');
  const send = (frame: object): void => socket.send(JSON.stringify(frame));
  send({ type: 'start', sampleRate: 16_000 });
  return {
    answers: () => answers.join('\n'),
    write: (text: string) => send({ type: 'text', text }),
    async [Symbol.asyncDispose]() {
      const closed = once(socket, 'close');
      send({ type: 'hangup' });
      await closed;
    },
  };
}

describe('templates of assistants', () => {
  let service: Awaited<ReturnType<typeof sharedService>>;
  let client: Client;
  beforeAll(async () => {
    service = await sharedService();
    client = new Client({ baseUrl: `${service.url}/`, apiKey: service.key });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test('every file of the folder is one, under its own name', () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
    expect(TEMPLATES.map(({ id }) => `${id}.json`).toSorted()).toEqual(files.toSorted());
  });

  test.each(TEMPLATES.map((template) => [template.id, template] as const))(
    '%s is created with what it needs, and its questions are answered without any vendor',
    { timeout: 120_000 },
    async (_id, template) => {
      const { assistant } = template;
      const fields = {
        name: assistant.name || 'Mine',
        welcomeMessage: assistant.welcomeMessage ?? '',
        assistantSystemPrompt: assistant.assistantSystemPrompt ?? '',
      };
      const servers = { getOrder: 'https://shop.example/orders' };
      const made = await createFromTemplate(client, { template, fields, servers });
      expect(made).toMatchObject({ ...template.assistant, ...fields });
      expect(made.warnings).toBeUndefined();
      expect(made.assistantToolIds).toHaveLength(template.tools?.length ?? 0);
      expect(made.assistantKnowledgeBaseIds).toHaveLength(template.knowledge ? 1 : 0);
      const own = ({ assistantIds }: { readonly assistantIds: readonly string[] }) =>
        assistantIds.includes(made._id);
      const calendars = (await client.call('listCalendars', {})).filter(own);
      expect(calendars).toHaveLength(template.calendars?.length ?? 0);
      const waitLists = (await client.call('listWaitLists', {})).filter(own);
      expect(waitLists).toHaveLength(template.waitLists?.length ?? 0);

      const [knowledgeBaseId] = made.assistantKnowledgeBaseIds;
      if (knowledgeBaseId !== undefined)
        await expect
          .poll(
            async () =>
              (await client.call('getKnowledgeBase', { path: { id: knowledgeBaseId } })).status,
            { timeout: ANSWER_MS },
          )
          .toBe('trained');
      if (template.questions.length === 0) return;
      await using call = await writeTo(service, made._id);
      await expect.poll(call.answers, { timeout: ANSWER_MS }).toContain(fields.welcomeMessage);
      for (const { say, expect: wanted } of template.questions) {
        call.write(say);
        await expect.poll(call.answers, { timeout: ANSWER_MS }).toContain(wanted);
      }
    },
  );
});
