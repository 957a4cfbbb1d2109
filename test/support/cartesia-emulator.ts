import { emulateSpeech, oddPieces } from './emulated-speech.ts';
import {
  type EmulatedConnection,
  startVendorSocketEmulator,
  type UpgradeRefusal,
  type VendorSocketEmulator,
} from './vendor-socket-emulator.ts';

export interface CartesiaScript {
  readonly apiKey?: string;
  readonly refuse?: UpgradeRefusal;
  /** Timestamps before their audio; both happen. */
  readonly timestampsFirst?: boolean;
  readonly fault?: 'hang' | 'close' | 'error' | 'garbage' | 'no-audio' | 'hang-first';
}

type Json = Record<string, unknown>;

/** From 2026-03-01 on errors are objects; voices are ids or objects with nothing but one. */
const VERSION = '2026-08-14';

function refusal(
  status: number,
  error_code: string,
  title: string,
  message: string,
): UpgradeRefusal {
  return { status, body: { error_code, title, message, request_id: 'r-1' } };
}

const REQUIRED = ['model_id', 'voice', 'transcript', 'output_format', 'context_id'];

/** Cartesia's text-to-speech socket. */
export function startCartesiaEmulator(script: CartesiaScript = {}): Promise<VendorSocketEmulator> {
  return startVendorSocketEmulator({
    refuse(request, url) {
      if (script.refuse) return script.refuse;
      if (url.pathname !== '/tts/websocket') return { status: 404 };
      if (request.headers['cartesia-version'] !== VERSION)
        return refusal(
          400,
          'version_invalid',
          'Bad request',
          `Cartesia-Version must be ${VERSION}`,
        );
      const credentials = `Bearer ${script.apiKey}`;
      if (script.apiKey !== undefined && request.headers.authorization !== credentials)
        return refusal(401, 'unauthorized', 'Unauthorized', 'Invalid API key');
      return undefined;
    },
    connected: () => undefined,
    frame: (connection, frame) => serve(script, connection, frame as Json),
  });
}

function serve(script: CartesiaScript, connection: EmulatedConnection, frame: Json): void {
  const context_id = frame.context_id;
  const send = (message: Json): void =>
    connection.socket.send(JSON.stringify({ context_id, ...message }));
  if (frame.cancel) {
    send({ type: 'done', done: true, status_code: 200 });
    return;
  }
  const missing = REQUIRED.find((field) => frame[field] === undefined);
  if (missing || frame.transcript === '') {
    const message = `${missing ?? 'transcript'} is required`;
    send({ type: 'error', done: true, status_code: 400, title: 'Bad request', message });
    return;
  }
  const voice = frame.voice as Json | string;
  if (typeof voice !== 'string' && (typeof voice.id !== 'string' || 'mode' in voice)) {
    const message = 'voice must be an id or {"id"}';
    send({ type: 'error', done: true, status_code: 400, title: 'Bad request', message });
    return;
  }
  if (script.fault === 'hang-first') return;
  const format = frame.output_format as { encoding: string; sample_rate: number };
  const encoding = format.encoding === 'pcm_mulaw' ? 'mulaw' : 'pcm16';
  const text = String(frame.transcript);
  const speech = emulateSpeech(text, encoding, format.sample_rate);
  const timestamps = {
    type: 'timestamps',
    done: false,
    status_code: 206,
    word_timestamps: wordTimestamps(text, speech.charMs),
  };
  if (script.timestampsFirst && frame.add_timestamps) send(timestamps);
  if (script.fault !== 'no-audio') {
    for (const [i, piece] of oddPieces(speech.bytes).entries()) {
      if (i > 0 && script.fault) {
        fail(script.fault, connection, send);
        return;
      }
      const data = Buffer.from(piece).toString('base64');
      send({ type: 'chunk', data, done: false, status_code: 206, step_time: 41.2 });
    }
  }
  if (!script.timestampsFirst && frame.add_timestamps) send(timestamps);
  send({ type: 'flush_done', flush_done: true, flush_id: 1, done: false, status_code: 206 });
  send({ type: 'done', done: true, status_code: 200 });
}

function wordTimestamps(text: string, charMs: number): Json {
  const found = [...text.matchAll(/\S+/g)];
  return {
    words: found.map((match) => match[0]),
    start: found.map((match) => (match.index * charMs) / 1000),
    end: found.map((match) => ((match.index + match[0].length) * charMs) / 1000),
  };
}

function fail(
  fault: NonNullable<CartesiaScript['fault']>,
  connection: EmulatedConnection,
  send: (message: Json) => void,
): void {
  if (fault === 'close') connection.socket.close(1011, 'internal error');
  if (fault === 'garbage') connection.socket.send('not json');
  if (fault === 'error') {
    send({
      type: 'error',
      done: true,
      status_code: 402,
      title: 'Out of credits',
      message: 'Credits exhausted',
      error_code: 'quota_exceeded',
    });
  }
}
