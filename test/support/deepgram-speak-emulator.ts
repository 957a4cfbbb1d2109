import { emulateSpeech, oddPieces } from './emulated-speech.ts';
import {
  type EmulatedConnection,
  startVendorSocketEmulator,
  type UpgradeRefusal,
  type VendorSocketEmulator,
} from './vendor-socket-emulator.ts';

export interface DeepgramSpeakScript {
  readonly apiKey?: string;
  readonly refuse?: UpgradeRefusal;
  readonly fault?: 'hang' | 'close' | 'error' | 'garbage' | 'no-audio' | 'hang-first';
  /** Audio frames, and the `Flushed` under way, that still come after a `Clear`. */
  readonly lateFrames?: boolean;
}

type Json = Record<string, unknown>;

const RATES: Readonly<Record<string, readonly number[]>> = {
  linear16: [8000, 16_000, 24_000, 32_000, 48_000],
  mulaw: [8000, 16_000],
  alaw: [8000, 16_000],
};
const MAX_FLUSHES = 20;

/** Deepgram Aura's text-to-speech socket. */
export function startDeepgramSpeakEmulator(
  script: DeepgramSpeakScript = {},
): Promise<VendorSocketEmulator> {
  const states = new Map<EmulatedConnection, { text: string; flushes: number }>();
  return startVendorSocketEmulator({
    refuse(request, url) {
      if (script.refuse) return script.refuse;
      if (url.pathname !== '/v1/speak') return { status: 404 };
      if (script.apiKey !== undefined && request.headers.authorization !== `Token ${script.apiKey}`)
        return { status: 401, body: { err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.' } };
      const encoding = url.searchParams.get('encoding') ?? '';
      const rate = Number(url.searchParams.get('sample_rate'));
      if (!RATES[encoding]?.includes(rate))
        return { status: 400, headers: { 'dg-error': 'Unsupported sample rate' } };
      return undefined;
    },
    connected(connection) {
      states.set(connection, { text: '', flushes: 0 });
      send(connection, { type: 'Metadata', request_id: 'r', model_name: 'aura-2-thalia-en' });
    },
    frame(connection, frame, isBinary) {
      if (isBinary) return connection.socket.close(1003, 'MESSAGE-0000');
      const state = states.get(connection) as { text: string; flushes: number };
      const message = frame as Json;
      switch (message.type) {
        case 'Speak':
          if (String(message.text).length > 2000) return connection.socket.close(1009, 'BIG-0001');
          state.text += `${message.text}`;
          return;
        case 'Flush':
          if (++state.flushes > MAX_FLUSHES)
            return send(connection, { type: 'Warning', code: 'EXCESSIVE_FLUSH', description: '' });
          speak(script, connection, state.text);
          state.text = '';
          return;
        case 'Clear':
          state.text = '';
          if (script.lateFrames) {
            connection.socket.send(Buffer.alloc(640, 1));
            send(connection, { type: 'Flushed', sequence_id: 0 });
            connection.socket.send(Buffer.alloc(640, 1));
          }
          return send(connection, { type: 'Cleared', sequence_id: 1 });
        case 'Close':
          return connection.socket.close(1000);
        default:
          return connection.socket.close(1008, 'DATA-0000');
      }
    },
  });
}

function send(connection: EmulatedConnection, message: Json): void {
  connection.socket.send(JSON.stringify(message));
}

function speak(script: DeepgramSpeakScript, connection: EmulatedConnection, text: string): void {
  if (script.fault === 'hang-first') return;
  const { searchParams } = connection.url;
  const encoding = searchParams.get('encoding') === 'mulaw' ? 'mulaw' : 'pcm16';
  const { bytes } = emulateSpeech(text, encoding, Number(searchParams.get('sample_rate')));
  for (const [i, piece] of oddPieces(bytes).entries()) {
    if (script.fault === 'no-audio') break;
    if (i > 0 && script.fault) {
      fail(script.fault, connection);
      return;
    }
    connection.socket.send(piece);
  }
  send(connection, { type: 'Flushed', sequence_id: 0 });
}

function fail(
  fault: NonNullable<DeepgramSpeakScript['fault']>,
  connection: EmulatedConnection,
): void {
  if (fault === 'close') connection.socket.close(1011, 'NET-0000');
  if (fault === 'garbage') connection.socket.send('{"type":');
  if (fault === 'error')
    send(connection, { type: 'Error', code: 'DATA-0001', description: 'Too many characters' });
}
