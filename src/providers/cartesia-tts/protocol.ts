import type { ProviderError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-frame.ts';
import { httpError } from '../openai-llm/error-protocol.ts';
import type { SpeechFrame, Timing, TtsVendor, Utterance } from '../tts-socket/tts-vendor.ts';
import { API_VERSIONS, DEFAULT_MODELS, DEFAULT_VOICES } from '../vendor-defaults.ts';
import { primaryLanguage, socketUrl } from '../vendor-url.ts';

export interface CartesiaOptions {
  readonly apiKey: string;
  /** @defaultValue `https://api.cartesia.ai` */
  readonly baseUrl?: string;
}

const PROVIDER = 'cartesia';
const MIN_SPEED = 0.6;
const MAX_SPEED = 1.5;

function request(contextId: string, utterance: Utterance): string {
  const { settings, format } = utterance;
  const speed = typeof settings.speed === 'number' ? settings.speed : 1;
  return JSON.stringify({
    context_id: contextId,
    model_id: settings.modelId || DEFAULT_MODELS.tts.cartesia.name,
    voice: { id: utterance.voice || DEFAULT_VOICES.cartesia.name },
    language: primaryLanguage(utterance.language) ?? 'en',
    transcript: utterance.text.trim(),
    continue: false,
    output_format: {
      container: 'raw',
      encoding: format.encoding === 'mulaw' ? 'pcm_mulaw' : 'pcm_s16le',
      sample_rate: format.sampleRateHz,
    },
    add_timestamps: true,
    // Times refer to the text as written, not to its normalised form.
    use_normalized_timestamps: false,
    // The sentence is complete, so there is nothing to wait for.
    max_buffer_delay_ms: 0,
    ...(speed === 1
      ? {}
      : { generation_config: { speed: Math.min(MAX_SPEED, Math.max(MIN_SPEED, speed)) } }),
  });
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function wordTimings(value: unknown): Timing[] {
  const { words, start, end } = (value ?? {}) as JsonObject;
  const [starts, ends] = [list(start), list(end)];
  return list(words).flatMap((text, i) => {
    const [from, to] = [starts[i], ends[i]];
    if (typeof text !== 'string' || typeof from !== 'number' || typeof to !== 'number') return [];
    return [{ text, startMs: from * 1000, endMs: to * 1000 }];
  });
}

function failure(frame: JsonObject, secrets: readonly string[]): ProviderError {
  const message = frame.message ?? frame.error ?? frame.title;
  return httpError({
    provider: PROVIDER,
    status: typeof frame.status_code === 'number' ? frame.status_code : 500,
    headers: {},
    body: JSON.stringify({ message, code: frame.error_code }),
    secrets,
  });
}

function parse(text: string | Uint8Array, secrets: readonly string[]): SpeechFrame[] {
  let frame: JsonObject;
  try {
    frame = JSON.parse(typeof text === 'string' ? text : '') as JsonObject;
  } catch {
    frame = { type: 'error', status_code: 500, message: 'a frame could not be read' };
  }
  const context = typeof frame?.context_id === 'string' ? { contextId: frame.context_id } : {};
  if (frame?.type === 'error')
    return [{ type: 'error', ...context, error: failure(frame, secrets) }];
  const { contextId } = context;
  if (contextId === undefined) return [];
  switch (frame.type) {
    case 'chunk':
      return [{ type: 'audio', contextId, bytes: Buffer.from(String(frame.data ?? ''), 'base64') }];
    case 'timestamps':
      return [{ type: 'timings', contextId, timings: wordTimings(frame.word_timestamps) }];
    case 'done':
      return [{ type: 'end', contextId, cancelled: false }];
    default:
      return [];
  }
}

/** Cartesia's WebSocket: one connection for many utterances, with word times. */
export function createCartesiaProtocol(options: CartesiaOptions): TtsVendor {
  const url = socketUrl(options.baseUrl ?? 'https://api.cartesia.ai', '/tts/websocket');
  const secrets = [options.apiKey];
  return {
    provider: PROVIDER,
    maxContexts: 8,
    maxTextChars: 10_000,
    format: (wantedRateHz) => {
      if (wantedRateHz <= 8000) return { encoding: 'mulaw', sampleRateHz: 8000 };
      return { encoding: 'pcm16', sampleRateHz: wantedRateHz <= 16_000 ? 16_000 : 24_000 };
    },
    url: () => url,
    headers: {
      Authorization: `Bearer ${options.apiKey}`,
      'Cartesia-Version': API_VERSIONS.cartesia.name,
    },
    secrets,
    begin: (contextId, utterance) => [request(contextId, utterance)],
    cancel: (context_id) => [JSON.stringify({ context_id, cancel: true })],
    parse: (frame) => parse(frame, secrets),
  };
}
