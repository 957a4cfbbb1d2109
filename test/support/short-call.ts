import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ServiceClient } from '../../src/cli/service-client.ts';
import type { ConnectedCall } from '../../src/contract/call.ts';
import type { ServiceApi } from './service-process.ts';

/** A call by the web that says nothing until it is told to. */
export interface OpenCall {
  readonly id: string;
  /** Resolves when the assistant has said its welcome. */
  readonly welcomed: Promise<void>;
  say(text: string): void;
  /** Ends the call; resolves when its socket is closed. */
  hangUp(): Promise<void>;
}

/** Calls an assistant that has one word of welcome. */
export async function openCall(service: ServiceApi): Promise<OpenCall> {
  const { id, webCall } = await service.json<ConnectedCall>('/calls/v1/conversations/connect', {
    method: 'POST',
    body: { direction: 'inbound', assistant: { name: 'Ada', welcomeMessage: 'Hello.' } },
  });
  const socket = new WebSocket(webCall?.url ?? '');
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  const welcomed = Promise.withResolvers<void>();
  socket.on('open', () => send({ type: 'start', sampleRate: 8000 }));
  socket.on('message', (data, binary) => {
    if (binary) return;
    const frame = JSON.parse(String(data)) as { type: string; role?: string; final?: boolean };
    if (frame.type === 'transcript' && frame.role === 'assistant' && frame.final)
      welcomed.resolve();
  });
  socket.on('error', welcomed.reject);
  return {
    id,
    welcomed: welcomed.promise,
    say: (text) => send({ type: 'text', text }),
    async hangUp() {
      const closed = once(socket, 'close');
      send({ type: 'hangup' });
      await closed;
    },
  };
}

/** All that can be read of a finished call. */
export async function readCall(client: ServiceClient, id: string) {
  const [call, transcript, events, recording] = await Promise.all([
    client.getCall(id),
    client.getTranscript(id),
    client.getEvents(id),
    client.getRecording(id),
  ]);
  // Addresses name the service that was asked.
  const shown = JSON.stringify(call).replaceAll(client.url, '');
  return {
    call: JSON.parse(shown) as typeof call,
    ...{ transcript, events, recording: Buffer.from(recording).toString('base64') },
  };
}
