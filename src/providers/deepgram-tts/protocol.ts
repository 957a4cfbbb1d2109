import { ProviderError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-frame.ts';
import type { FailureClass } from '../../ports/provider-failure.ts';
import { presentable } from '../openai-llm/error-protocol.ts';
import type { SpeechFrame, TtsVendor, Utterance } from '../tts-socket/tts-vendor.ts';
import { DEFAULT_MODELS, DEFAULT_VOICES } from '../vendor-defaults.ts';
import { primaryLanguage, socketUrl } from '../vendor-url.ts';

export interface DeepgramTtsOptions {
  readonly apiKey: string;
  /** @defaultValue `https://api.deepgram.com` */
  readonly baseUrl?: string;
}

const PROVIDER = 'deepgram';
const MIN_SPEED = 0.7;
const MAX_SPEED = 1.5;
// One message may hold 2,000 characters.
const MAX_MESSAGE_CHARS = 1800;

/** A full model name such as `aura-2-thalia-en`; a bare voice name is completed. */
function modelOf({ voice, language }: Utterance): string {
  const name = voice || DEFAULT_VOICES.deepgram.name;
  if (name.includes('-')) return name;
  return `${DEFAULT_MODELS.tts.deepgram.name}-${name}-${primaryLanguage(language) ?? 'en'}`;
}

function url(baseUrl: string, utterance: Utterance): string {
  const { format, settings } = utterance;
  const speed = typeof settings.speed === 'number' ? settings.speed : 1;
  return socketUrl(baseUrl, '/v1/speak', {
    model: modelOf(utterance),
    encoding: format.encoding === 'mulaw' ? 'mulaw' : 'linear16',
    sample_rate: format.sampleRateHz,
    // Not every language accepts a speed, so it is sent only if it differs from 1.
    speed: speed === 1 ? undefined : Math.min(MAX_SPEED, Math.max(MIN_SPEED, speed)),
  });
}

function pieces(text: string): readonly string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${MAX_MESSAGE_CHARS}}(?=\\s|$)|\\S+`, 'g')) ?? [];
}

const ERROR_CLASSES: readonly (readonly [RegExp, FailureClass])[] = [
  [/^NET-/, 'network'],
  [/^(?:DATA|BIG|MESSAGE)-/, 'invalid'],
];

function failure(frame: JsonObject, secrets: readonly string[]): ProviderError {
  const code = String(frame.code ?? frame.err_code ?? 'vendor_error');
  const said = presentable(String(frame.description ?? frame.err_msg ?? code), secrets);
  return new ProviderError({
    class: ERROR_CLASSES.find(([pattern]) => pattern.test(code))?.[1] ?? 'protocol',
    provider: PROVIDER,
    code: /^[\w.-]{1,64}$/.test(code) ? code : 'vendor_error',
    message: `${PROVIDER}: ${said}`,
  });
}

function parse(frame: string | Uint8Array, secrets: readonly string[]): SpeechFrame[] {
  if (typeof frame !== 'string') return [{ type: 'audio', bytes: frame }];
  let message: JsonObject;
  try {
    message = JSON.parse(frame) as JsonObject;
  } catch {
    message = { type: 'Error', code: 'bad_frame', description: 'a frame could not be read' };
  }
  switch (message?.type) {
    case 'Flushed':
      return [{ type: 'end', cancelled: false }];
    case 'Cleared':
      return [{ type: 'end', cancelled: true }];
    case 'Error':
      return [{ type: 'error', error: failure(message, secrets) }];
    default:
      // Metadata and warnings.
      return [];
  }
}

/** Deepgram Aura's WebSocket: one utterance at a time, without word times. */
export function createDeepgramTtsProtocol(options: DeepgramTtsOptions): TtsVendor {
  const baseUrl = options.baseUrl ?? 'https://api.deepgram.com';
  const secrets = [options.apiKey];
  return {
    provider: PROVIDER,
    maxContexts: 1,
    // Deepgram accepts 20 flushes in 60 s and ignores further ones.
    maxPerMinute: 18,
    maxTextChars: 10_000,
    format: (wantedRateHz) => {
      if (wantedRateHz <= 8000) return { encoding: 'mulaw', sampleRateHz: 8000 };
      const supported = [16_000, 24_000, 48_000];
      const rate = supported.findLast((hz) => hz <= wantedRateHz) ?? 16_000;
      return { encoding: 'pcm16', sampleRateHz: rate };
    },
    url: (utterance) => url(baseUrl, utterance),
    headers: { Authorization: `Token ${options.apiKey}` },
    secrets,
    begin: (_contextId, utterance) => [
      ...pieces(utterance.text.trim()).map((text) => JSON.stringify({ type: 'Speak', text })),
      JSON.stringify({ type: 'Flush' }),
    ],
    cancel: () => [JSON.stringify({ type: 'Clear' })],
    parse: (frame) => parse(frame, secrets),
  };
}
