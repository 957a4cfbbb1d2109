import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ConnectedCall } from '../../src/contract/call.ts';
import { connectDatabase } from '../../src/store/database.ts';
import { allRows } from '../support/all-rows.ts';
import { startBookingModel } from '../support/booking-model.ts';
import { eventually } from '../support/eventually.ts';
import { startLocalServer } from '../support/local-server.ts';
import { serviceDatabaseUrl } from '../support/postgres.ts';
import { installedServer } from '../support/postgres-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const CONVERSATIONS = '/calls/v1/conversations';
const SAID = 'my word is marzipan';
const TOLD = 'cardamom-2291';
const NAME = 'Lavender Tarragon';
const NUMBER = '+4930998877';

test.skipIf(!installedServer())(
  'after the deletion of a real call nothing of it is in database, files or log',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-deletion-'));
    const url = (await serviceDatabaseUrl()) ?? '';
    const service = await ServiceProcess.start(folder, {
      ...{ DATABASE_URL: url, ALLOW_PRIVATE_TARGETS: 'true', LOG_LEVEL: 'debug' },
      // Encrypted files would hide the words even if they stayed.
      ENCRYPT_CALLS: 'false',
    });
    const database = connectDatabase({ connectionString: url }, { size: 1 });
    await using receiver = await startWebhookReceiver();
    await using model = await startBookingModel('book');
    await using tools = await startLocalServer((_, response) =>
      response.end(JSON.stringify({ reference: TOLD })),
    );
    const everything = async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map(async ({ name, parentPath }) => [
          name,
          // Removed meanwhile.
          await readFile(join(parentPath, name), 'latin1').catch(() => ''),
        ]);
      return [await allRows(database.db), (await Promise.all(files)).join('\n')].join('\n');
    };
    try {
      const tool = await service.json<{ _id: string }>('/assistants/v1/tools', {
        method: 'POST',
        body: {
          function: { name: 'book', parameters: { properties: { slot: { type: 'string' } } } },
          server: { url: tools.url },
        },
      });
      const { id, webCall } = await service.json<ConnectedCall>(`${CONVERSATIONS}/connect`, {
        method: 'POST',
        body: {
          direction: 'inbound',
          customer: { number: NUMBER, name: NAME },
          assistant: {
            name: 'Booking',
            welcomeMessage: 'Hello there.',
            assistantProvider: 'custom-llm',
            assistantLLMUrl: model.url,
            assistantToolIds: [tool._id],
            assistantServer: { enabled: true, url: receiver.url, messages: ['end-of-call-report'] },
          },
        },
      });
      const socket = new WebSocket(webCall?.url ?? '');
      const send = (frame: object) => socket.send(JSON.stringify(frame));
      socket.on('open', () => send({ type: 'start', sampleRate: 8000 }));
      socket.on('message', (data, binary) => {
        if (binary) return;
        const frame = JSON.parse(String(data));
        if (frame.type !== 'transcript' || frame.role !== 'assistant' || !frame.final) return;
        send(frame.text.includes('booked') ? { type: 'hangup' } : { type: 'text', text: SAID });
      });
      await new Promise((resolve) => socket.on('close', resolve));
      await receiver.until((all) => all.some(({ callId }) => callId === id));
      const before = await everything();
      for (const words of [SAID, TOLD, NAME, NUMBER]) expect(before, words).toContain(words);
      expect(before).toContain(`${id}.wav`);
      expect(before).toContain(`${id}.txt`);

      const remove = () =>
        fetch(`${service.url}${CONVERSATIONS}/${id}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${service.key}` },
        });
      expect((await remove()).status).toBe(200);
      await eventually(async () => {
        const after = await everything();
        for (const words of [SAID, TOLD, NAME, NUMBER, `${id}.wav`, `${id}.txt`])
          expect(after.includes(words), words).toBe(false);
      });
      const names = await readdir(join(folder, 'data/deleted-calls'));
      expect(await readFile(join(folder, 'data/deleted-calls', names[0] ?? ''), 'utf8')).toBe(
        `${id}\n`,
      );
      for (const words of [SAID, TOLD, NAME, NUMBER])
        expect(service.output.includes(words), words).toBe(false);
      expect(service.output).toContain(id);
    } finally {
      await database.close();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
