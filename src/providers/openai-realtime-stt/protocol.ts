import { mulaw } from '../../audio/g711.ts';
import { bytesFromPcm16 } from '../../audio/pcm16.ts';
import { ProviderError } from '../../lib/errors.ts';
import {
  asNumber,
  asRecord,
  asText,
  type JsonObject,
  parseJsonFrame,
} from '../../lib/json-frame.ts';
import { presentable } from '../openai-llm/error-protocol.ts';
import { boundedHints, primaryLanguages } from '../recognition-hints.ts';
import type { HeardFrame, SttDialogue, SttSetup, SttVendor } from '../stt-socket/stt-vendor.ts';
import { DEFAULT_MODELS } from '../vendor-defaults.ts';
import { socketUrl } from '../vendor-url.ts';
import { ItemOrder } from './item-order.ts';

export interface OpenAiRealtimeSttOptions {
  readonly apiKey: string;
  /** @defaultValue `https://api.openai.com/v1` */
  readonly baseUrl?: string;
  /** @defaultValue the one in `vendor-defaults.ts` */
  readonly model?: string;
}

const PROVIDER = 'openai';
const HINT_LIMITS = { terms: 100, termChars: 100, totalChars: 800 } as const;
/** Errors that end a session; all others leave it open. */
const FATAL = /^(?:invalid_api_key|invalid_model|model_not_found|session_expired)$/;

function sessionUpdate(setup: SttSetup, model: string): string {
  const languages = primaryLanguages(setup.languages);
  const hints = boundedHints(setup.hints, HINT_LIMITS);
  const format =
    setup.sampleRateHz === 8000 ? { type: 'audio/pcmu' } : { type: 'audio/pcm', rate: 24_000 };
  return JSON.stringify({
    type: 'session.update',
    session: {
      type: 'transcription',
      audio: {
        input: {
          format,
          transcription: {
            model,
            // With a language set, the model recognises no other.
            ...(languages.length === 1 ? { language: languages[0] } : {}),
            ...(hints.length > 0 ? { prompt: `Names: ${hints.join(', ')}.` } : {}),
          },
          turn_detection: {
            type: 'server_vad',
            threshold: 0.5,
            prefix_padding_ms: 300,
            silence_duration_ms: 300,
          },
        },
      },
    },
  });
}

class RealtimeDialogue implements SttDialogue {
  readonly audio: SttDialogue['audio'];
  readonly #setup: string;
  readonly #secrets: readonly string[];
  readonly #items = new ItemOrder();

  constructor(setup: SttSetup, model: string, secrets: readonly string[]) {
    this.#setup = sessionUpdate(setup, model);
    this.#secrets = secrets;
    const encode = setup.sampleRateHz === 8000 ? mulaw.encode : bytesFromPcm16;
    this.audio = (pcm) => {
      const bytes = encode(pcm);
      const audio = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
      return `{"type":"input_audio_buffer.append","audio":"${audio}"}`;
    };
  }

  receive(frame: string | Uint8Array): readonly HeardFrame[] {
    const message = parseJsonFrame(frame);
    if (!message) return [{ type: 'malformed' }];
    const item = asText(message.item_id);
    switch (message.type) {
      case 'session.created':
        return [{ type: 'send', frame: this.#setup }];
      case 'session.updated':
        return [{ type: 'ready' }];
      case 'input_audio_buffer.speech_started':
        this.#items.started(item, asNumber(message.audio_start_ms) ?? 0);
        return [];
      case 'input_audio_buffer.speech_stopped':
        this.#items.stopped(item, asNumber(message.audio_end_ms) ?? 0);
        return [];
      case 'input_audio_buffer.committed':
        return this.#items.committed(item, asText(message.previous_item_id) || undefined);
      case 'conversation.item.input_audio_transcription.delta':
        return this.#items.delta(item, asText(message.delta));
      case 'conversation.item.input_audio_transcription.completed':
        return this.#items.completed(item, asText(message.transcript).trim());
      case 'conversation.item.input_audio_transcription.failed':
        // This utterance has failed; its last interim text is used instead.
        return this.#items.failed(item);
      case 'error':
        return this.#error(asRecord(message.error) ?? {});
      default:
        return [];
    }
  }

  #error(error: JsonObject): HeardFrame[] {
    const code = asText(error.code);
    const type = asText(error.type);
    if (!FATAL.test(code) && type !== 'server_error' && type !== 'session_expired') return [];
    const said = presentable(asText(error.message), this.#secrets);
    const expired = code === 'session_expired' || type !== 'invalid_request_error';
    return [
      {
        type: 'error',
        error: new ProviderError({
          class: expired ? 'network' : 'invalid',
          provider: PROVIDER,
          code: code || 'server_error',
          message: `${PROVIDER} ended the session${said ? `: ${said}` : ''}`,
        }),
      },
    ];
  }
}

/** OpenAI's realtime transcription. */
export function createOpenAiRealtimeSttProtocol(options: OpenAiRealtimeSttOptions): SttVendor {
  const secrets = [options.apiKey];
  const base = options.baseUrl ?? 'https://api.openai.com/v1';
  const address = socketUrl(base, '/realtime', { intent: 'transcription' });
  return {
    provider: PROVIDER,
    // 24 kHz is its only PCM rate; telephone audio is sent as G.711.
    inputRatesHz: [24_000, 8000],
    finalLatencyP99Ms: 1660,
    chunkMs: 60,
    minChunkMs: 20,
    burstMs: 5000,
    maxSpeed: 4,
    // Pings keep the connection alive.
    idleMs: 60_000,
    greets: true,
    headers: { Authorization: `Bearer ${options.apiKey}` },
    secrets,
    url: () => address,
    dialogue: (setup) =>
      new RealtimeDialogue(setup, options.model ?? DEFAULT_MODELS.stt.openai.name, secrets),
  };
}
