import { mulaw } from '../../src/audio/g711.ts';
import { pcm16FromBytes } from '../../src/audio/pcm16.ts';
import type { HearingScript } from './hearing-script.ts';
import { ToneListener } from './tone-words.ts';
import {
  type EmulatedConnection,
  startVendorSocketEmulator,
  type VendorSocketEmulator,
} from './vendor-socket-emulator.ts';

type Json = Record<string, unknown>;

export interface RealtimeScript extends HearingScript {
  /** The first item's transcript comes after the second's. */
  readonly outOfOrder?: boolean;
  /** The transcription of this item, counted from 0, fails. */
  readonly failItem?: number;
}

const MIN_COMMIT_MS = 100;

/** OpenAI's `/v1/realtime?intent=transcription`. */
export function startOpenAiRealtimeEmulator(script: RealtimeScript): Promise<VendorSocketEmulator> {
  const ears = new Map<EmulatedConnection, Ear>();
  let opened = 0;
  return startVendorSocketEmulator({
    refuse(request, url) {
      if (script.refuse) return script.refuse;
      if (url.pathname !== '/v1/realtime') return { status: 404 };
      const wanted = `Bearer ${script.apiKey}`;
      if (script.apiKey !== undefined && request.headers.authorization !== wanted) {
        const message = `Incorrect API key provided: ${request.headers.authorization}`;
        return { status: 401, body: { error: { message, code: 'invalid_api_key' } } };
      }
      if (url.searchParams.get('intent') !== 'transcription')
        return { status: 400, body: { error: { message: 'model is required' } } };
      return undefined;
    },
    connected(connection) {
      ears.set(connection, new Ear(script, connection, opened++ === 0));
    },
    frame(connection, frame) {
      ears.get(connection)?.take(frame as Json);
    },
  });
}

class Ear {
  readonly #script: RealtimeScript;
  readonly #connection: EmulatedConnection;
  readonly #first: boolean;
  #listener: ToneListener | undefined;
  #decode: (bytes: Uint8Array) => Int16Array = pcm16FromBytes;
  #silenceMs = 500;
  #events = 0;
  #items = 0;
  #item: string | undefined;
  #previous: string | null = null;
  #given = 0;
  #committedMs = 0;
  #held: Json[] = [];

  constructor(script: RealtimeScript, connection: EmulatedConnection, first: boolean) {
    this.#script = script;
    this.#connection = connection;
    this.#first = first;
    if (!script.mute) this.#send({ type: 'session.created', session: { id: 'sess_1' } });
  }

  take(message: Json) {
    if (this.#script.mute) return;
    switch (message.type) {
      case 'session.update':
        return this.#update(message.session as Json, message.event_id);
      case 'input_audio_buffer.append':
        return this.#append(String(message.audio ?? ''), message.event_id);
      case 'input_audio_buffer.commit':
        return this.#commit(message.event_id);
      default:
        return this.#complain('unknown_event', `${message.type}`, message.event_id);
    }
  }

  #update(session: Json, eventId: unknown) {
    const input = ((session.audio as Json)?.input ?? {}) as Json;
    const format = (input.format ?? {}) as Json;
    const rate = format.type === 'audio/pcmu' ? 8000 : format.rate;
    if (session.type !== 'transcription')
      return this.#complain('invalid_value', 'session.type', eventId);
    if (format.type === 'audio/pcm' && rate !== 24_000)
      return this.#complain('invalid_value', 'audio/pcm is 24 kHz', eventId);
    if (!(input.transcription as Json)?.model)
      return this.#complain('missing_required_parameter', 'transcription.model', eventId);
    this.#listener = new ToneListener(Number(rate));
    this.#decode = format.type === 'audio/pcmu' ? (bytes) => mulaw.decode(bytes) : pcm16FromBytes;
    this.#silenceMs = Number((input.turn_detection as Json)?.silence_duration_ms ?? 500);
    this.#send({ type: 'session.updated', session });
  }

  #append(audio: string, eventId: unknown) {
    if (!this.#listener) return this.#complain('no_session', 'update the session first', eventId);
    const bytes = Buffer.from(audio, 'base64');
    this.#listener.push(this.#decode(Buffer.from(bytes)), () => this.#step());
  }

  #step(): void {
    const { words, receivedMs, speaking } = this.#listener as ToneListener;
    const { dropAfterWords } = this.#script;
    if (this.#first && dropAfterWords !== undefined && words.length >= dropAfterWords) {
      this.#connection.socket.terminate();
      return;
    }
    if (speaking && this.#item === undefined) {
      this.#item = `item_${++this.#items}`;
      this.#send({
        type: 'input_audio_buffer.speech_started',
        audio_start_ms: Math.max(0, receivedMs - 50),
        item_id: this.#item,
      });
    }
    const quietMs = speaking ? 0 : receivedMs - (words.at(-1)?.endMs ?? receivedMs);
    if (this.#item !== undefined && quietMs >= this.#silenceMs) {
      const audio_end_ms = receivedMs - quietMs;
      this.#send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms, item_id: this.#item });
      this.#transcribe(this.#item);
    }
  }

  #commit(eventId: unknown): void {
    const { receivedMs = 0 } = this.#listener ?? {};
    if (receivedMs - this.#committedMs < MIN_COMMIT_MS)
      this.#complain('input_audio_buffer_commit_empty', 'buffer too small', eventId);
    else this.#transcribe(this.#item ?? `item_${++this.#items}`);
  }

  #transcribe(item_id: string): void {
    const listener = this.#listener as ToneListener;
    this.#committedMs = listener.receivedMs;
    const previous_item_id = this.#previous;
    this.#send({ type: 'input_audio_buffer.committed', previous_item_id, item_id });
    this.#send({ type: 'conversation.item.added', item: { id: item_id } });
    const transcript = listener.words
      .slice(this.#given)
      .map((word) => word.text)
      .join(' ');
    this.#given = listener.words.length;
    this.#item = undefined;
    this.#previous = item_id;
    const prefix = 'conversation.item.input_audio_transcription';
    if (this.#script.failItem === this.#items - 1) {
      const error = { type: 'server_error', code: 'audio_unintelligible', message: 'no' };
      this.#send({ type: `${prefix}.failed`, item_id, content_index: 0, error });
      return;
    }
    const [first = '', ...rest] = transcript.match(/\s*\S+/g) ?? [];
    for (const delta of [first, rest.join('')])
      this.#send({ type: `${prefix}.delta`, item_id, content_index: 0, delta });
    if (this.#script.garbage && this.#items === 1) this.#connection.socket.send('<html>');
    const usage = { type: 'tokens', total_tokens: 12 };
    const completed = { type: `${prefix}.completed`, item_id, content_index: 0, transcript, usage };
    if (this.#script.outOfOrder && this.#items === 1) {
      this.#held.push(completed);
      return;
    }
    this.#send(completed);
    if (this.#script.repeats) this.#send(completed);
    for (const late of this.#held.splice(0)) this.#send(late);
  }

  #complain(code: string, message: string, event_id: unknown): void {
    const error = { type: 'invalid_request_error', code, message, param: null, event_id };
    this.#send({ type: 'error', error });
  }

  #send(message: Json): void {
    const event_id = `ev${++this.#events}`;
    this.#connection.socket.send(JSON.stringify({ ...message, event_id }));
  }
}
