import { on, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Call, ConnectedCall } from '../../src/contract/call.ts';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import { eventually } from '../support/eventually.ts';
import { sharedService } from '../support/shared-service.ts';

const CARD = '4111 1111 1111 1111';
/**
 * The name, and each group of the card's digits where words stand: a time, a seed or an id may hold the same digits by
 * chance, but has neither a space nor a quotation mark before it.
 */
const TAKEN_OUT = [/Ruiz/, /["\s]4111/, /["\s]1111/];

let service: Awaited<ReturnType<typeof sharedService>>;

beforeAll(async () => {
  service = await sharedService();
});

afterAll(() => service[Symbol.asyncDispose]());

/** A call in writing, read when it is over. */
async function redactedCall(originals: 'discard' | 'sealed'): Promise<string> {
  const { id, webCall } = await service.json<ConnectedCall>('/calls/v1/conversations/connect', {
    method: 'POST',
    body: {
      direction: 'inbound',
      assistant: {
        name: 'Redacted',
        welcomeMessage: 'Hello, how can I help?',
        redaction: { kinds: ['card', 'name', 'email'], originals },
      },
    },
  });
  const socket = new WebSocket(webCall?.url ?? '');
  const frames = on(socket, 'message');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'start', sampleRate: 16_000 }));
  await frames.next();
  socket.send(JSON.stringify({ type: 'text', text: `My name is Ana Ruiz, my card is ${CARD}` }));
  await eventually(async () => {
    const { messages } = await service.json<Call>(`/calls/v1/conversations/${id}`);
    expect(messages.map(({ text }) => text)).toContain('My name is [name], my card is [card]');
  });
  socket.send(JSON.stringify({ type: 'hangup' }));
  await eventually(async () => {
    const call = await service.json<Call>(`/calls/v1/conversations/${id}`);
    expect(call.status).toBe('finished');
    expect(call.recording).toBeDefined();
  });
  socket.close();
  return id;
}

async function read(path: string) {
  const answer = await fetch(`${service.url}/calls/v1/conversations/${path}`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  return { status: answer.status, text: await answer.text() };
}

test.concurrent('nothing that is read of a call holds what was taken out', async () => {
  const id = await redactedCall('discard');
  for (const part of ['', '/events', '/transcript?format=text', '/transcript']) {
    const { status, text } = await read(`${id}${part}`);
    expect(status).toBe(200);
    for (const words of TAKEN_OUT) expect(text).not.toMatch(words);
  }
  expect((await read(`${id}/events`)).text).toContain('"redacted":"discard"');
  expect(await read(`${id}/originals`)).toMatchObject({ status: 404 });
});

test.concurrent('sealed originals give the journal back, and it replays', async () => {
  const id = await redactedCall('sealed');
  const redacted = (await read(`${id}/events`)).text;
  const { text } = await read(`${id}/originals`);
  expect(text).toContain(CARD);
  for (const words of TAKEN_OUT) {
    expect(redacted).not.toMatch(words);
    expect(text).toMatch(words);
  }
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(findDifferences(replayJournal(lines), 1)).toEqual([]);
});
