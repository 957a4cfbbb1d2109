import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ConnectedCall } from '../../src/contract/call.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { startAssemblyAiEmulator } from '../support/assemblyai-emulator.ts';
import { until } from '../support/captured-wire.ts';
import { startCartesiaEmulator } from '../support/cartesia-emulator.ts';
import { type ChatEmulator, startChatEmulator } from '../support/chat-completions-emulator.ts';
import { startDeepgramListenEmulator } from '../support/deepgram-listen-emulator.ts';
import { startElevenLabsEmulator } from '../support/elevenlabs-emulator.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import type { VendorSocketEmulator } from '../support/vendor-socket-emulator.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const down = { refuse: { status: 503, body: { message: 'overloaded' } } };
let rig: PhoneRig;
let receiver: WebhookReceiver;
let google: ChatEmulator;
let azure: ChatEmulator;
let assemblyAi: VendorSocketEmulator;
let elevenLabs: VendorSocketEmulator;
const open: AsyncDisposable[] = [];

beforeAll(async () => {
  const keep = async <T extends AsyncDisposable>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    open.push(started);
    return started;
  };
  receiver = await keep(startWebhookReceiver());
  google = await keep(startChatEmulator({ apiKey: 'g' }));
  azure = await keep(startChatEmulator({ apiKey: 'z' }));
  const deepgram = await keep(startDeepgramListenEmulator({ clock: systemClock, ...down }));
  assemblyAi = await keep(startAssemblyAiEmulator({ clock: systemClock, apiKey: 'a' }));
  const cartesia = await keep(startCartesiaEmulator(down));
  elevenLabs = await keep(startElevenLabsEmulator({ apiKey: 'e' }));
  rig = await PhoneRig.start({
    GOOGLE_API_KEY: 'g',
    GOOGLE_BASE_URL: google.baseUrl,
    AZURE_OPENAI_API_KEY: 'z',
    AZURE_OPENAI_BASE_URL: `${azure.baseUrl}?api-version=2024-10-21`,
    DEEPGRAM_API_KEY: 'key-of-deepgram',
    DEEPGRAM_BASE_URL: deepgram.baseUrl,
    ASSEMBLYAI_API_KEY: 'a',
    ASSEMBLYAI_BASE_URL: assemblyAi.baseUrl,
    CARTESIA_API_KEY: 'key-of-cartesia',
    CARTESIA_BASE_URL: cartesia.baseUrl,
    ELEVENLABS_API_KEY: 'e',
    ELEVENLABS_BASE_URL: elevenLabs.baseUrl,
  });
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  for (const one of open) await one[Symbol.asyncDispose]();
});

/** A web call in writing: what the assistant says to it. */
async function call(assistant: object): Promise<{ id: string; answer: string }> {
  const { id, webCall } = await rig.ask<ConnectedCall>('POST', '/calls/v1/conversations/connect', {
    direction: 'inbound',
    assistant: {
      name: 'Vendors',
      welcomeMessageMode: 'assistant-waits-for-user',
      assistantServer: { url: receiver.url, enabled: true, messages: ['error'] },
      ...assistant,
    },
  });
  const path = new URL(webCall?.url ?? '').pathname;
  const socket = new WebSocket(rig.url.replace('http', 'ws') + path);
  const said: string[] = [];
  socket.on('message', (data, isBinary) => {
    if (isBinary) return;
    const frame = JSON.parse(String(data)) as Record<string, unknown>;
    if (frame.type === 'transcript' && frame.role === 'assistant' && frame.final)
      said.push(String(frame.text));
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'start', sampleRate: 16_000 }));
  // A browser's microphone is never still.
  const microphone = setInterval(() => socket.send(Buffer.alloc(640)), 20);
  socket.send(JSON.stringify({ type: 'text', text: 'Are you open?' }));
  await until('the assistant answers', () => said.length > 0);
  clearInterval(microphone);
  socket.send(JSON.stringify({ type: 'hangup' }));
  await once(socket, 'close');
  return { id, answer: said.join(' ') };
}

test('a recogniser and a voice that are down are replaced in the call, which says so; Gemini answers in it', async () => {
  google.script({ deltas: ['Yes, we are open.'] });
  const { id, answer } = await call({
    assistantProvider: 'google',
    config: {
      speech: {
        stt: { vendor: 'deepgram' },
        sttFallback: { enabled: true, vendor: 'assemblyai', languages: 'en-US' },
        ttsData: [{ vendor: 'cartesia' }, { vendor: 'elevenlabs' }],
      },
    },
  });
  expect(answer).toBe('Yes, we are open.');
  expect(google.requests[0]?.body.model).toBe('gemini-3.5-flash-lite');
  expect(assemblyAi.connections).toHaveLength(1);
  expect(elevenLabs.connections.length).toBeGreaterThan(0);
  const events = (await rig.text(`/calls/v1/conversations/${id}/events`))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalLine);
  const changes = events.filter(({ type }) => type === 'vendor.failover').map(({ data }) => data);
  const error = { code: 'http_503', message: expect.stringContaining('overloaded') };
  expect(changes).toContainEqual(
    expect.objectContaining({
      ...{ port: 'stt', vendor: 'deepgram', successor: 'assemblyai' },
      delayMs: expect.any(Number),
      error: expect.objectContaining({ ...error, provider: 'deepgram' }),
    }),
  );
  expect(changes).toContainEqual(
    expect.objectContaining({
      ...{ port: 'tts', vendor: 'cartesia', successor: 'elevenlabs' },
      error: expect.objectContaining({ ...error, provider: 'cartesia' }),
    }),
  );
  await receiver.until((all) => all.filter(({ callId }) => callId === id).length >= 2);
  expect(receiver.of(id).map(({ message }) => message.error)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'stt', provider: 'deepgram' }),
      expect.objectContaining({ type: 'tts', provider: 'cartesia' }),
    ]),
  );
});

test('a deployment at Azure answers in a call', async () => {
  azure.script({ deltas: ['Until nine.'], azure: true });
  const { answer } = await call({
    assistantProvider: 'azure-openai',
    assistantModel: 'my-deployment',
    config: { speech: { stt: { vendor: 'offline' }, ttsData: [{ vendor: 'offline' }] } },
  });
  expect(answer).toBe('Until nine.');
  const [request] = azure.requests;
  expect(request?.headers['api-key']).toBe('z');
  expect(request?.path).toBe('/v1/chat/completions?api-version=2024-10-21');
});
