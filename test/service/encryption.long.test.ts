import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
const WORDS = [SAID, TOLD, 'metadata saffron', 'variable paprika'];

describe('what is said in a real call', () => {
  test('stands nowhere on the disk of the embedded database, while the call lives and after', () =>
    talk(undefined));

  test.skipIf(!installedServer())('stands in no table of a Postgres server, either', async () =>
    talk(await serviceDatabaseUrl()),
  );
});

async function talk(url: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-encryption-'));
  const start = (keys: string) =>
    ServiceProcess.start(folder, {
      ...{ ENCRYPTION_KEY: keys, ALLOW_PRIVATE_TARGETS: 'true', LOG_LEVEL: 'debug' },
      ...(url ? { DATABASE_URL: url } : {}),
    });
  let service = await start('an old key of the test');
  const database = url ? connectDatabase({ connectionString: url }, { size: 1 }) : undefined;
  await using receiver = await startWebhookReceiver();
  await using model = await startBookingModel('book');
  await using tools = await startLocalServer((_, response) =>
    response.end(JSON.stringify({ reference: TOLD })),
  );
  /** Rows of a server; files, those of the embedded database and its write-ahead log among them; the log. */
  const everything = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      // Removed meanwhile.
      .map(({ name, parentPath }) => readFile(join(parentPath, name), 'latin1').catch(() => ''));
    const rows = database ? await allRows(database.db) : '';
    return [rows, ...(await Promise.all(files)), service.output];
  };
  const expectNothing = async () => {
    const text = (await everything()).join('\n');
    const around = WORDS.filter((words) => text.includes(words)).map((words) =>
      text.slice(Math.max(0, text.indexOf(words) - 150), text.indexOf(words) + 50),
    );
    expect(around).toEqual([]);
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
        customer: { number: '+4930998877' },
        metadata: { note: 'metadata saffron' },
        assistantOverrides: { dynamicVariables: { note: 'variable paprika' } },
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
    const booked = Promise.withResolvers<void>();
    const socket = new WebSocket(webCall?.url ?? '');
    const send = (frame: object) => socket.send(JSON.stringify(frame));
    socket.on('open', () => send({ type: 'start', sampleRate: 8000 }));
    socket.on('message', (data, binary) => {
      if (binary) return;
      const frame = JSON.parse(String(data));
      if (frame.type !== 'transcript' || frame.role !== 'assistant' || !frame.final) return;
      if (frame.text.includes('booked')) booked.resolve();
      else send({ type: 'text', text: SAID });
    });
    await booked.promise;
    const events = async () =>
      fetch(`${service.url}${CONVERSATIONS}/${id}/events`, {
        headers: { authorization: `Bearer ${service.key}` },
      }).then((response) => response.text());
    // The live call's journal is in the store by now.
    await eventually(async () => expect(await events()).toContain(TOLD));
    await expectNothing();
    const over = new Promise((resolve) => socket.on('close', resolve));
    send({ type: 'hangup' });
    await over;
    await receiver.until((all) => all.some(({ callId }) => callId === id));
    // Who is told may read it.
    expect(JSON.stringify(receiver.of(id)[0]?.message)).toContain(SAID);
    await expectNothing();

    // With another key, the former one given once more.
    await service.stop();
    await expect(start('some other key')).rejects.toThrow('the service ended');
    service = await start('a new key of the test,an old key of the test');
    await service.stop();
    service = await start('a new key of the test');
    const call = await service.json<{ metadata: object }>(`${CONVERSATIONS}/${id}`);
    expect(call.metadata).toEqual({ note: 'metadata saffron' });
    const transcript = await service.json<object>(`${CONVERSATIONS}/${id}/transcript`);
    expect(JSON.stringify(transcript)).toContain(SAID);
    expect(await events()).toContain(TOLD);
    const list = await service.json<{ totalCount: number }>(`${CONVERSATIONS}?search=MARZIPAN`);
    expect(list.totalCount).toBe(1);
    await expectNothing();
  } finally {
    await database?.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
