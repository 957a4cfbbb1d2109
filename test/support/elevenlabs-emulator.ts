import type { IncomingMessage } from 'node:http';
import { emulateSpeech } from './emulated-speech.ts';
import {
  type EmulatedConnection,
  startVendorSocketEmulator,
  type UpgradeRefusal,
  type VendorSocketEmulator,
} from './vendor-socket-emulator.ts';

export interface ElevenLabsScript {
  readonly apiKey?: string;
  readonly refuse?: UpgradeRefusal;
  /** What `GET /v2/voices` lists. */
  readonly voices?: readonly Json[];
  /** `is_final`, `charsDurationsMs`: the other spelling. */
  readonly otherSpelling?: boolean;
  /** Chunks come without their alignment. */
  readonly noAlignment?: boolean;
  /** What goes wrong after the first chunk, or instead of it. */
  readonly fault?: 'hang' | 'close' | 'error' | 'garbage' | 'no-audio' | 'hang-first';
}

type Json = Record<string, unknown>;

interface Context {
  text: string;
  spoken: boolean;
}

const CHUNK_CHARS = 12;
const MAX_CONTEXTS = 5;

/** ElevenLabs' multi-context text-to-speech socket. */
export function startElevenLabsEmulator(
  script: ElevenLabsScript = {},
): Promise<VendorSocketEmulator> {
  const contexts = new Map<EmulatedConnection, Map<string, Context>>();
  return startVendorSocketEmulator({
    answer(request, url) {
      if (url.pathname !== '/v2/voices' || !script.voices) return undefined;
      return refusedKey(script, request) ?? { status: 200, body: { voices: script.voices } };
    },
    refuse(request, url) {
      if (script.refuse) return script.refuse;
      if (!/^\/v1\/text-to-speech\/[\w-]+\/multi-stream-input$/.test(url.pathname))
        return { status: 404, body: { detail: { status: 'not_found', message: 'Not found' } } };
      return refusedKey(script, request);
    },
    connected: (connection) => void contexts.set(connection, new Map()),
    frame(connection, frame) {
      const open = contexts.get(connection) as Map<string, Context>;
      serve(script, connection, open, frame as Json);
    },
  });
}

function refusedKey(
  { apiKey }: ElevenLabsScript,
  { headers }: IncomingMessage,
): UpgradeRefusal | undefined {
  if (apiKey === undefined || headers['xi-api-key'] === apiKey) return undefined;
  const detail = { status: 'invalid_api_key', message: 'Invalid API key' };
  return { status: 401, body: { detail } };
}

function serve(
  script: ElevenLabsScript,
  connection: EmulatedConnection,
  open: Map<string, Context>,
  frame: Json,
): void {
  const send = (message: Json): void => connection.socket.send(JSON.stringify(message));
  const refuse = (error: string, message: string): void => {
    send({ message, error, code: 1008 });
    connection.socket.close(1008, message);
  };
  const id = String(frame.context_id);
  const context = open.get(id);
  if (!context) {
    if (frame.close_context) return;
    if (frame.text !== ' ') {
      refuse('invalid_message', 'The first message must be a space');
      return;
    }
    if (open.size < MAX_CONTEXTS) open.set(id, { text: '', spoken: false });
    else refuse('max_contexts_exceeded', 'Too many simultaneous contexts');
    return;
  }
  if (typeof frame.text === 'string') context.text += frame.text;
  if (frame.flush) speak(script, connection, id, context, send);
  if (frame.close_context && context.spoken && !script.fault?.startsWith('hang')) {
    open.delete(id);
    send({ [script.otherSpelling ? 'is_final' : 'isFinal']: true, contextId: id });
  }
}

function speak(
  script: ElevenLabsScript,
  connection: EmulatedConnection,
  contextId: string,
  context: Context,
  send: (message: Json) => void,
): void {
  context.spoken = true;
  if (script.fault === 'hang-first' || script.fault === 'no-audio') return;
  const format = connection.url.searchParams.get('output_format') ?? 'pcm_16000';
  const rate = Number(format.split('_')[1]);
  const encoding = format.startsWith('ulaw') ? 'mulaw' : 'pcm16';
  for (let at = 0; at < context.text.length; at += CHUNK_CHARS) {
    if (at > 0 && script.fault) {
      fail(script.fault, connection, contextId, send);
      return;
    }
    const text = context.text.slice(at, at + CHUNK_CHARS);
    const { chars, charMs, bytes } = emulateSpeech(text, encoding, rate);
    const times = {
      chars,
      charStartTimesMs: chars.map((_, i) => i * charMs),
      [script.otherSpelling ? 'charsDurationsMs' : 'charDurationsMs']: chars.map(() => charMs),
    };
    send({
      audio: Buffer.from(bytes).toString('base64'),
      isFinal: null,
      contextId,
      alignment: script.noAlignment ? null : times,
      normalizedAlignment: null,
    });
  }
}

function fail(
  fault: NonNullable<ElevenLabsScript['fault']>,
  connection: EmulatedConnection,
  contextId: string,
  send: (message: Json) => void,
): void {
  if (fault === 'close') connection.socket.close(1011, 'internal error');
  if (fault === 'error') send({ message: 'Quota exceeded', error: 'quota_exceeded', contextId });
  if (fault === 'garbage') connection.socket.send('{"audio":');
}
