import { WebSocket } from 'ws';
import type { ConnectedCall } from '../../src/contract/call.ts';
import type { ServiceApi } from './service-process.ts';

/** A caller of few words: presses a key for each turn, and hangs up after the last, if the line lasts. */
export async function callWithKeys(
  service: ServiceApi,
  params: { readonly assistantId: string; readonly turns: number; readonly connect?: object },
): Promise<{ readonly id: string; readonly over: Promise<void> }> {
  const { id, webCall } = await service.json<ConnectedCall>('/calls/v1/conversations/connect', {
    method: 'POST',
    body: { direction: 'inbound', assistantId: params.assistantId, ...params.connect },
  });
  const socket = new WebSocket(webCall?.url ?? '');
  const send = (frame: object) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
  };
  let replies = 0;
  socket.on('open', () => send({ type: 'start', sampleRate: 8000 }));
  socket.on('message', (data, binary) => {
    if (binary) return;
    const frame = JSON.parse(String(data)) as { type: string; role?: string; final?: boolean };
    if (frame.type !== 'transcript' || frame.role !== 'assistant' || !frame.final) return;
    if (replies++ >= params.turns) return send({ type: 'hangup' });
    send({ type: 'dtmf', digit: `${replies % 10}` });
    send({ type: 'dtmf', digit: '#' });
  });
  const over = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  // A line that breaks is part of the test: it closes.
  socket.on('error', () => undefined);
  return { id, over };
}
