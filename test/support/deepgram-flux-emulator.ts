import { pcm16FromBytes } from '../../src/audio/pcm16.ts';
import type { HearingScript } from './hearing-script.ts';
import { ToneListener } from './tone-words.ts';
import {
  type EmulatedConnection,
  startVendorSocketEmulator,
  type VendorSocketEmulator,
} from './vendor-socket-emulator.ts';

type Json = Record<string, unknown>;

const KNOWN = new Set([
  ...['model', 'encoding', 'sample_rate', 'eot_threshold', 'eager_eot_threshold', 'keyterm'],
  ...['eot_timeout_ms', 'language_hint', 'profanity_filter', 'numerals', 'redact', 'tag'],
  'mip_opt_out',
]);
const UPDATE_MS = 250;
/** What this one takes for the end of a turn: it is half sure after the first, sure after the second. */
const EAGER_QUIET_MS = 200;
const END_QUIET_MS = 400;

/** Deepgram Flux, `/v2/listen`. */
export function startDeepgramFluxEmulator(script: HearingScript): Promise<VendorSocketEmulator> {
  const ears = new Map<EmulatedConnection, Ear>();
  let opened = 0;
  return startVendorSocketEmulator({
    refuse(request, url) {
      if (script.refuse) return script.refuse;
      if (url.pathname !== '/v2/listen') return { status: 404 };
      if (script.apiKey !== undefined && request.headers.authorization !== `Token ${script.apiKey}`)
        return { status: 401, headers: { 'dg-error': 'Invalid credentials.' } };
      const why = complaint(url.searchParams);
      return why ? { status: 400, headers: { 'dg-error': why } } : undefined;
    },
    connected(connection) {
      ears.set(connection, new Ear(script, connection, opened++ === 0));
    },
    frame(connection, frame, isBinary) {
      ears.get(connection)?.take(frame, isBinary);
    },
  });
}

function complaint(query: URLSearchParams): string | undefined {
  const unknown = [...query.keys()].find((name) => !KNOWN.has(name));
  if (unknown) return `Unknown parameter ${unknown}`;
  const model = query.get('model') ?? '';
  if (!/^flux-general-(?:en|multi)$/.test(model)) return 'model is not one of flux';
  if (query.has('language_hint') && model !== 'flux-general-multi')
    return 'language_hint needs the multi model';
  const [eot, eager] = [query.get('eot_threshold'), query.get('eager_eot_threshold')];
  if (eot !== null && !(Number(eot) >= 0.5 && Number(eot) <= 1)) return 'eot_threshold';
  if (eager !== null && !(Number(eager) >= 0.3 && Number(eager) <= 0.9)) return 'eager';
  return undefined;
}

class Ear {
  readonly #script: HearingScript;
  readonly #connection: EmulatedConnection;
  readonly #first: boolean;
  readonly #listener: ToneListener;
  readonly #eager: boolean;
  #sequence = 0;
  #turn = 0;
  #given = 0;
  #startMs = 0;
  #state: 'idle' | 'speaking' | 'eager' = 'idle';
  #updatedAt = 0;
  #last: Json | undefined;

  constructor(script: HearingScript, connection: EmulatedConnection, first: boolean) {
    this.#script = script;
    this.#connection = connection;
    this.#first = first;
    const query = connection.url.searchParams;
    this.#listener = new ToneListener(Number(query.get('sample_rate')));
    this.#eager = query.has('eager_eot_threshold');
    if (!script.mute) this.#send({ type: 'Connected' });
  }

  take(frame: unknown, isBinary: boolean): void {
    if (this.#script.mute) return;
    if (isBinary) {
      this.#listener.push(pcm16FromBytes(Buffer.from(frame as Buffer)), () => this.#step());
      return;
    }
    const { type } = frame as Json;
    if (type === 'ForceEndTurn') this.#end('manual');
    // No end of turn, no status.
    else if (type === 'CloseStream') this.#connection.socket.close();
    else this.#send({ type: 'Error', code: 'UNPARSABLE_CLIENT_MESSAGE', description: `${type}` });
  }

  #step(): void {
    const { words, receivedMs, speaking } = this.#listener;
    const { dropAfterWords } = this.#script;
    if (this.#first && dropAfterWords !== undefined && words.length >= dropAfterWords) {
      this.#connection.socket.terminate();
      return;
    }
    const fresh = words.length > this.#given;
    const quietMs = speaking ? 0 : receivedMs - (words.at(-1)?.endMs ?? receivedMs);
    if (this.#state === 'idle') {
      if (fresh) this.#enter('speaking', 'StartOfTurn', 0.05);
    } else if (this.#state === 'speaking') {
      if (this.#eager && quietMs >= EAGER_QUIET_MS) this.#enter('eager', 'EagerEndOfTurn', 0.55);
      else if (quietMs >= END_QUIET_MS) this.#end('model');
    } else if (speaking) {
      this.#enter('speaking', 'TurnResumed', 0.1);
    } else if (quietMs >= END_QUIET_MS) {
      this.#end('model');
    }
    if (receivedMs - this.#updatedAt >= UPDATE_MS) this.#tell('Update', 0.1);
  }

  #enter(state: 'speaking' | 'eager', event: string, confidence: number): void {
    this.#state = state;
    this.#tell(event, confidence);
  }

  #end(trigger: string): void {
    if (this.#state === 'idle') return;
    this.#tell('EndOfTurn', 0.9, { trigger });
    if (this.#script.repeats && this.#last)
      this.#connection.socket.send(JSON.stringify({ ...this.#last, event: 'Update' }));
    this.#state = 'idle';
    this.#turn++;
    this.#given = this.#listener.words.length;
    this.#startMs = this.#listener.receivedMs;
  }

  #tell(event: string, confidence: number, extra: Json = {}): void {
    const words = this.#listener.words.slice(this.#given);
    this.#updatedAt = this.#listener.receivedMs;
    if (this.#script.garbage && this.#sequence === 2) this.#connection.socket.send('nonsense');
    this.#send({
      type: 'TurnInfo',
      event,
      turn_index: this.#turn,
      audio_window_start: this.#startMs / 1000,
      audio_window_end: this.#listener.receivedMs / 1000,
      transcript: words.map((word) => word.text).join(' '),
      words: words.map(({ text, startMs, endMs }) => ({
        word: text,
        confidence: 0.99,
        start: startMs / 1000,
        end: endMs / 1000,
      })),
      end_of_turn_confidence: confidence,
      ...extra,
    });
  }

  #send(message: Json): void {
    const frame = { request_id: 'r-2', sequence_id: this.#sequence++, ...message };
    this.#last = frame;
    this.#connection.socket.send(JSON.stringify(frame));
  }
}
