import { setTimeout as delay } from 'node:timers/promises';
import { bytesFromPcm16 } from '../../src/audio/pcm16.ts';
import { wavHeader } from '../../src/audio/wav-header.ts';
import { emulateSpeech } from './emulated-speech.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';

export interface OpenAiSpeechScript {
  readonly apiKey?: string;
  readonly status?: number;
  readonly body?: unknown;
  /** A compatible server that sends a WAV file of this rate. */
  readonly wavRateHz?: number;
  readonly fault?: Fault;
  /** How it speaks this text, if not as always. */
  readonly perform?: (text: string) => Performance | undefined;
}

type Fault = 'hang' | 'hang-first' | 'reset' | 'no-audio' | 'html';

export interface Performance {
  /** From the request to the first audio. */
  readonly afterMs?: number;
  /** What is heard instead of the emulated voice, at 24 kHz. */
  readonly pcm?: Int16Array;
  readonly fault?: Fault;
}

type Json = Record<string, unknown>;

export interface OpenAiSpeechEmulator extends LocalServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly requests: readonly Json[];
  /** How many clients left before their audio was complete. */
  readonly disconnected: () => number;
}

/** OpenAI's `/audio/speech`. Its chunks are odd-sized and end inside a sample. */
export async function startOpenAiSpeechEmulator(
  script: OpenAiSpeechScript = {},
): Promise<OpenAiSpeechEmulator> {
  const requests: Json[] = [];
  let disconnected = 0;
  const server = await startLocalServer(async (request, response) => {
    const refuse = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    // A client that warms its connection up asks for nothing.
    if (request.method !== 'POST') return refuse(404, { error: { message: 'not found' } });
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
    requests.push(body);
    response.once('close', () => {
      if (!response.writableFinished) disconnected++;
    });
    if (request.url !== '/v1/audio/speech') return refuse(404, { error: { message: 'not found' } });
    const wanted = `Bearer ${script.apiKey}`;
    if (script.apiKey !== undefined && request.headers.authorization !== wanted) {
      const message = `Incorrect API key provided: ${request.headers.authorization}`;
      return refuse(401, { error: { message, code: 'invalid_api_key' } });
    }
    if (String(body.input).length > 4096)
      return refuse(400, { error: { message: 'string too long', param: 'input' } });
    if (script.status !== undefined) return refuse(script.status, script.body ?? {});
    const { afterMs, pcm, fault = script.fault } = script.perform?.(String(body.input)) ?? {};
    if (fault === 'hang-first') return;
    if (afterMs !== undefined) await delay(afterMs);
    const type = fault === 'html' ? 'text/html' : 'audio/pcm';
    response.writeHead(200, { 'content-type': script.wavRateHz ? 'audio/wav' : type });
    if (fault === 'no-audio') return void response.end();
    const rate = script.wavRateHz ?? 24_000;
    const bytes = pcm
      ? bytesFromPcm16(pcm)
      : emulateSpeech(String(body.input), 'pcm16', rate).bytes;
    const all = script.wavRateHz
      ? Buffer.concat([
          wavHeader({ sampleRateHz: rate, channels: 1, dataBytes: bytes.length }),
          bytes,
        ])
      : bytes;
    for (let at = 0, size = 3; at < all.length; at += size, size = 6001) {
      if (at > 10_000 && fault === 'hang') return;
      if (at > 10_000 && fault === 'reset') return void response.socket?.resetAndDestroy();
      const piece = all.subarray(at, at + size);
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    }
    response.end();
  });
  return {
    ...server,
    baseUrl: `${server.url}/v1`,
    requests,
    disconnected: () => disconnected,
  };
}
