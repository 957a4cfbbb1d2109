import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { serve } from '../calls/child.ts';
import { type FinalSaid, monotonicMs, type VendorsApi } from '../calls/messages.ts';
import { answer } from './model.ts';
import { Recogniser } from './recogniser.ts';
import { partyOf, speakerOf, word } from './vendor-script.ts';
import { Voice } from './voice.ts';

// The vendors of all peers: recogniser, voice and model, which need no time, and the carrier's REST interface. They take
// what each peer's own client sends, and answer as the vendor's documentation has it.
let finals: { readonly speaker: string; readonly atMs: number }[] = [];
const parties = new Map<string, { readonly callId: string; readonly party: string }>();
let speakers = 0;

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
const http = createServer((request, response) => {
  void take(request, response).catch((error: Error) => response.destroy(error));
});
http.keepAliveTimeout = 60_000;
http.on('upgrade', (request, raw, head) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor');
  sockets.handleUpgrade(request, raw, head, (socket) => {
    if (pathname === '/v1/listen') listen(socket, searchParams);
    else speak(socket);
  });
});

function listen(socket: WebSocket, asked: URLSearchParams): void {
  const speaker = speakers++;
  const endpointing = Number(asked.get('endpointing') ?? 'NaN');
  const recogniser = new Recogniser(socket, {
    rateHz: Number(asked.get('sample_rate')),
    ...(endpointing > 0 ? { endpointingMs: endpointing } : {}),
    vadEvents: asked.get('vad_events') === 'true',
    speaker,
    onFinal: () => finals.push({ speaker: word(speaker), atMs: monotonicMs() }),
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return recogniser.audio(data);
    const { type } = JSON.parse(data.toString()) as { type: string };
    if (type === 'Finalize') recogniser.finalize();
    if (type === 'CloseStream') socket.close(1000);
  });
}

function speak(socket: WebSocket): void {
  const voice = new Voice(socket);
  socket.on('message', (data: Buffer) => voice.take(JSON.parse(data.toString())));
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const url = new URL(request.url ?? '/', 'http://vendor');
  if (!url.pathname.endsWith('/chat/completions')) {
    // A list of models, or the carrier's interface, which has every number.
    const number = url.searchParams.get('PhoneNumber');
    const numbers = { incoming_phone_numbers: [{ sid: 'PN0', phone_number: number }] };
    const body = { object: 'list', data: [], sid: 'CA0', ...(number === null ? {} : numbers) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return;
  }
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as {
    messages: { role: string; content: string }[];
  };
  const party = partyOf(String(messages[0]?.content));
  const speaker = speakerOf(String(messages.findLast(({ role }) => role === 'user')?.content));
  if (party && speaker) parties.set(speaker, party);
  answer(response);
}

const api: { [Name in keyof VendorsApi]: VendorsApi[Name] } = {
  urls() {
    const base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    return { stt: base, tts: base, llm: `${base}/v1`, carrier: base };
  },
  reset() {
    finals = [];
  },
  report() {
    const known = finals.flatMap(({ speaker, atMs }): FinalSaid[] => {
      const party = parties.get(speaker);
      return party ? [{ ...party, atMs, own: [] }] : [];
    });
    const callIds = [...parties.values()].map(({ party, callId }) => [party, callId]);
    return { finals: known, callIds: Object.fromEntries(callIds), ownGaps: [] };
  },
};

http.listen(0, '127.0.0.1');
await once(http, 'listening');
serve(api as never);
