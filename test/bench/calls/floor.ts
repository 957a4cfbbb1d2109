import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { mulaw } from '../../../src/audio/g711.ts';
import { bytesFromPcm16, pcm16FromBytes } from '../../../src/audio/pcm16.ts';

/**
 * The floor: what it costs to take a frame from a socket, decode it and send one back, every 20 ms, and
 * nothing else. Written as one would write it, without a trick.
 */
const http = createServer((_, response) => response.writeHead(404).end());
const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
let heard = 0;

function answerCarrier(socket: WebSocket, text: string): void {
  const frame = JSON.parse(text) as {
    event: string;
    streamSid: string;
    media?: { payload: string };
  };
  if (frame.event !== 'media' || !frame.media) return;
  const bytes = Buffer.from(frame.media.payload, 'base64');
  heard += mulaw.decode(bytes).length;
  const payload = bytes.toString('base64');
  socket.send(JSON.stringify({ event: 'media', streamSid: frame.streamSid, media: { payload } }));
}

function answerWeb(socket: WebSocket, bytes: Buffer): void {
  const pcm = pcm16FromBytes(bytes);
  heard += pcm.length;
  socket.send(bytesFromPcm16(pcm), { binary: true });
}

sockets.on('connection', (socket) => {
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) answerWeb(socket, data);
    else answerCarrier(socket, data.toString());
  });
});
http.listen(0, '127.0.0.1');
await once(http, 'listening');
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
process.stdout.write(`${url}\n`);
process.on('SIGTERM', () => {
  process.stdout.write(`${heard} samples\n`);
  process.exit();
});
process.on('disconnect', () => process.exit());
