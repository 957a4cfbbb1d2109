import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { serve } from './child.ts';
import type { Gap } from './far-end-gauge.ts';
import { type FinalSaid, monotonicMs, type VendorsApi } from './messages.ts';
import { ScriptedEars } from './scripted-ears.ts';
import { ScriptedMouth } from './scripted-mouth.ts';
import { partyOf, replyOf, replyTokens, speakerOf, TOKEN_EVERY_MS, word } from './vendor-script.ts';

// The vendors of the load: recogniser, voice, model, and the carrier's REST interface. All answer at once.
const parties = new Map<string, { readonly callId: string; readonly party: string }>();
/** `own`: when we ourselves were busy with its answer. */
interface Final {
  readonly speaker: string;
  readonly atMs: number;
  readonly own: { readonly from: number; readonly to: number }[];
}

/** From here on a late look of this process is noted with its instant. */
const OWN_GAP_MS = 3;
const LOOK_MS = 2;

let ownGaps: Gap[] = [];
let finals: Final[] = [];
/** By the word that tells the replies apart. */
const answered = new Map<string, Final>();
let speakers = 0;
let replies = 0;

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
const http = createServer((request, response) => {
  void answer(request, response).catch((error: Error) => response.destroy(error));
});
http.keepAliveTimeout = 60_000;
http.on('upgrade', (request, raw, head) => {
  const url = new URL(request.url ?? '/', 'http://vendor');
  sockets.handleUpgrade(request, raw, head, (socket) => {
    if (url.pathname === '/v1/listen') listen(socket, Number(url.searchParams.get('sample_rate')));
    else speak(socket);
  });
});

function listen(socket: import('ws').WebSocket, rateHz: number): void {
  const speaker = speakers++;
  const ears = new ScriptedEars(socket, rateHz, speaker, (atMs) => {
    finals.push({ speaker: word(speaker), atMs, own: [] });
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return ears.audio(data);
    const { type } = JSON.parse(data.toString()) as { type: string };
    if (type === 'Finalize') ears.finalize();
    if (type === 'CloseStream') socket.close(1000);
  });
}

function speak(socket: import('ws').WebSocket): void {
  const mouth = new ScriptedMouth(socket);
  socket.on('message', (data: Buffer) => {
    const askedAt = monotonicMs();
    const wanted = JSON.parse(data.toString());
    mouth.take(wanted);
    const reply = replyOf(wanted.transcript ?? '');
    const final = reply === undefined ? undefined : answered.get(reply);
    final?.own.push({ from: askedAt, to: monotonicMs() });
    if (reply !== undefined) answered.delete(reply);
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const askedAt = monotonicMs();
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  if (!request.url?.endsWith('/chat/completions')) {
    // The carrier's interface, which takes whatever it is asked for and has every number.
    const number = new URL(request.url ?? '/', 'http://carrier').searchParams.get('PhoneNumber');
    const numbers = { incoming_phone_numbers: [{ sid: 'PN0', phone_number: number }] };
    const body = JSON.stringify({ sid: 'CA0', ...(number === null ? {} : numbers) });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    return;
  }
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as {
    messages: { role: string; content: string }[];
  };
  const party = partyOf(String(messages[0]?.content));
  const speaker = speakerOf(String(messages.findLast(({ role }) => role === 'user')?.content));
  if (party && speaker) parties.set(speaker, party);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const reply = replies++;
  stream(response, replyTokens(reply), 0);
  // What was asked before the final text was is not waited for.
  const final = finals.findLast((one) => one.speaker === speaker);
  if (!final || final.own.length > 0 || final.atMs > askedAt) return;
  final.own.push({ from: askedAt, to: monotonicMs() });
  answered.set(word(reply), final);
}

function stream(response: ServerResponse, tokens: readonly string[], n: number): void {
  if (response.destroyed) return;
  const event = (choice: object) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini', choices: [{ index: 0, ...choice }] })}\n\n`;
  const token = tokens[n];
  if (token === undefined) {
    const usage = { prompt_tokens: 120, completion_tokens: tokens.length, total_tokens: 150 };
    response.write(event({ delta: {}, finish_reason: 'stop' }));
    response.write(`data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [], usage })}\n\n`);
    response.end('data: [DONE]\n\n');
    return;
  }
  response.write(event({ delta: { content: token }, finish_reason: null }));
  const isFirstSentence = !tokens.slice(0, n).some((said) => said.endsWith('.'));
  if (isFirstSentence) stream(response, tokens, n + 1);
  else setTimeout(() => stream(response, tokens, n + 1), TOKEN_EVERY_MS);
}

const api: { [Name in keyof VendorsApi]: VendorsApi[Name] } = {
  urls() {
    const base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    return { stt: base, tts: base, llm: `${base}/v1`, carrier: base };
  },
  reset() {
    ownGaps = [];
    finals = [];
    answered.clear();
    // Those of a service that was measured before among them.
    parties.clear();
  },
  report() {
    const known = finals.flatMap(({ speaker, atMs, own }): FinalSaid[] => {
      const party = parties.get(speaker);
      return party ? [{ ...party, atMs, own }] : [];
    });
    const callIds = [...parties.values()].map(({ party, callId }) => [party, callId]);
    return { finals: known, callIds: Object.fromEntries(callIds), ownGaps };
  },
};

let lookAt = monotonicMs() + LOOK_MS;
setInterval(() => {
  const now = monotonicMs();
  if (now - lookAt > OWN_GAP_MS) ownGaps.push({ atMs: now, ms: now - lookAt });
  lookAt = now + LOOK_MS;
}, LOOK_MS);
http.listen(0, '127.0.0.1');
await once(http, 'listening');
serve(api as never);
