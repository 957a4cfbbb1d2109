import { ProviderError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-frame.ts';
import type { FailureClass } from '../../ports/provider-failure.ts';
import { presentable } from '../openai-llm/error-protocol.ts';
import type { SpeechFrame, Timing, TtsVendor, Utterance } from '../tts-socket/tts-vendor.ts';
import { DEFAULT_MODELS, DEFAULT_VOICES } from '../vendor-defaults.ts';
import { primaryLanguage, socketUrl } from '../vendor-url.ts';

export interface ElevenLabsOptions {
  readonly apiKey: string;
  /** @defaultValue `https://api.elevenlabs.io` */
  readonly baseUrl?: string;
}

const PROVIDER = 'elevenlabs';
const MIN_SPEED = 0.7;
const MAX_SPEED = 1.2;

const ERROR_CLASSES: Readonly<Record<string, FailureClass>> = {
  quota_exceeded: 'quota',
  invalid_api_key: 'auth',
  needs_authorization: 'auth',
  missing_permissions: 'auth',
  too_many_concurrent_requests: 'rate',
  system_busy: 'rate',
  input_timeout_exceeded: 'network',
  internal_server_error: 'network',
  voice_not_found: 'invalid',
  voice_id_does_not_exist: 'invalid',
  max_character_limit_exceeded: 'invalid',
};

function numberOf(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

function voiceSettings({ settings }: Utterance): JsonObject {
  const speed = numberOf(settings.speed, 1);
  return {
    stability: numberOf(settings.stability, 0.5),
    similarity_boost: numberOf(settings.similarityBoost, 0.75),
    style: numberOf(settings.styleExaggeration, 0),
    use_speaker_boost: settings.speakerBoost !== false,
    speed: Math.min(MAX_SPEED, Math.max(MIN_SPEED, speed)),
  };
}

function url(baseUrl: string, utterance: Utterance): string {
  const { settings, format, voice } = utterance;
  const model = String(settings.modelId || DEFAULT_MODELS.tts.elevenlabs.name);
  const seed = numberOf(settings.seed, 0);
  return socketUrl(
    baseUrl,
    `/v1/text-to-speech/${encodeURIComponent(voice || DEFAULT_VOICES.elevenlabs.name)}/multi-stream-input`,
    {
      model_id: model,
      output_format:
        format.encoding === 'mulaw' ? `ulaw_${format.sampleRateHz}` : `pcm_${format.sampleRateHz}`,
      // The older models accept no language code.
      language_code: /v2_5$/.test(model) ? primaryLanguage(utterance.language) : undefined,
      inactivity_timeout: 30,
      sync_alignment: true,
      auto_mode: true,
      apply_text_normalization: settings.applyTextNormalization === false ? 'off' : 'auto',
      seed: seed === 0 ? undefined : seed,
    },
  );
}

function numbers(value: unknown): readonly number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number') ? value : [];
}

/** Character times, relative to the start of the chunk; examples and SDK spell the fields differently. */
function alignmentTimings(value: unknown): Timing[] {
  if (typeof value !== 'object' || value === null) return [];
  const alignment = value as JsonObject;
  const chars = Array.isArray(alignment.chars) ? alignment.chars : [];
  const starts = numbers(alignment.charStartTimesMs ?? alignment.charsStartTimesMs);
  const durations = numbers(alignment.charDurationsMs ?? alignment.charsDurationsMs);
  return chars.flatMap((char: unknown, i) => {
    const startMs = starts[i];
    if (typeof char !== 'string' || startMs === undefined) return [];
    return [{ text: char, startMs, endMs: startMs + (durations[i] ?? 0) }];
  });
}

function contextOf(frame: JsonObject): { contextId?: string } {
  const id = frame.contextId ?? frame.context_id;
  return typeof id === 'string' ? { contextId: id } : {};
}

function errorFrame(frame: JsonObject, secrets: readonly string[]): SpeechFrame {
  const code = String(frame.error);
  const message = presentable(String(frame.message ?? code), secrets);
  return {
    type: 'error',
    ...contextOf(frame),
    error: new ProviderError({
      class: ERROR_CLASSES[code] ?? 'protocol',
      provider: PROVIDER,
      code: /^[\w.-]{1,64}$/.test(code) ? code : 'vendor_error',
      message: `${PROVIDER}: ${message}`,
    }),
  };
}

function badFrame(): SpeechFrame {
  const message = `${PROVIDER} sent a frame that could not be read`;
  return {
    type: 'error',
    error: new ProviderError({ class: 'protocol', provider: PROVIDER, code: 'bad_frame', message }),
  };
}

function parse(text: string | Uint8Array, secrets: readonly string[]): SpeechFrame[] {
  let frame: JsonObject;
  try {
    frame = JSON.parse(typeof text === 'string' ? text : '') as JsonObject;
  } catch {
    return [badFrame()];
  }
  if (typeof frame !== 'object' || frame === null) return [badFrame()];
  if (frame.error) return [errorFrame(frame, secrets)];
  const context = contextOf(frame);
  const frames: SpeechFrame[] = [];
  if (typeof frame.audio === 'string' && frame.audio !== '') {
    const timings = alignmentTimings(frame.alignment);
    frames.push({
      type: 'audio',
      ...context,
      bytes: Buffer.from(frame.audio, 'base64'),
      ...(timings.length > 0 ? { timings } : {}),
    });
  }
  if (frame.isFinal === true || frame.is_final === true)
    frames.push({ type: 'end', ...context, cancelled: false });
  // A frame without a context would be taken as meant for all contexts.
  return 'contextId' in context ? frames : [];
}

/** ElevenLabs' multi-context WebSocket: whole utterances in, audio with character times out. */
export function createElevenLabsProtocol(options: ElevenLabsOptions): TtsVendor {
  const baseUrl = options.baseUrl ?? 'https://api.elevenlabs.io';
  const secrets = [options.apiKey];
  return {
    provider: PROVIDER,
    maxContexts: 5,
    maxTextChars: 10_000,
    format: (wantedRateHz) => {
      if (wantedRateHz <= 8000) return { encoding: 'mulaw', sampleRateHz: 8000 };
      // 44.1 kHz is limited to certain tiers.
      return { encoding: 'pcm16', sampleRateHz: wantedRateHz <= 16_000 ? 16_000 : 24_000 };
    },
    url: (utterance) => url(baseUrl, utterance),
    headers: { 'xi-api-key': options.apiKey },
    secrets,
    begin: (context_id, utterance) => [
      JSON.stringify({ text: ' ', context_id, voice_settings: voiceSettings(utterance) }),
      JSON.stringify({ text: `${utterance.text.trim()} `, context_id, flush: true }),
      // Lets flushed text be spoken, then ends the context at once.
      JSON.stringify({ context_id, close_context: true }),
    ],
    cancel: (context_id) => [JSON.stringify({ context_id, close_context: true })],
    parse: (frame) => parse(frame, secrets),
  };
}
