import { ProviderError } from '../lib/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Stt } from '../ports/stt.ts';
import type { Tts } from '../ports/tts.ts';
import { type CacheScope, createCachedTts } from './decorators/cached-tts.ts';
import type { CircuitBreaker } from './decorators/circuit-breaker.ts';
import { createFallbackStt } from './decorators/fallback-stt.ts';
import { createFallbackTts, type VoiceChoice } from './decorators/fallback-tts.ts';
import type { VoiceCache } from './decorators/voice-cache.ts';

/** A voice as an assistant lists it. */
interface AssistantVoice {
  readonly enabled: boolean;
  readonly vendor: string;
  readonly language?: string;
  readonly voice?: string;
  readonly config?: Readonly<Record<string, string | number | boolean>>;
}

/** What of an assistant decides who hears, thinks and speaks for it. */
export interface AssistantVendors {
  readonly assistantProvider: string;
  readonly assistantModel: string;
  readonly assistantLLMUrl: string;
  readonly ttsAudioCacheScope?: CacheScope['scope'];
  readonly config: {
    readonly speech: {
      readonly stt: { readonly vendor: string };
      readonly sttFallback?: {
        readonly enabled: boolean;
        readonly vendor: string;
        readonly languages: string;
      };
      readonly ttsData: readonly AssistantVoice[];
    };
  };
}

/** Whose assistant it is; absent fields share nothing. */
export interface AssistantOwner {
  readonly teamId?: string;
  readonly assistantId?: string;
}

export interface VendorShelf {
  readonly clock: Clock;
  readonly log: Log;
  readonly cache: VoiceCache;
  readonly stt: (vendor: string) => Stt;
  readonly tts: (vendor: string) => Tts;
  readonly breaker: (kind: 'stt' | 'tts', vendor: string) => CircuitBreaker;
}

function failureFields(error: unknown) {
  return error instanceof ProviderError
    ? { class: error.class, code: error.code, reason: error.message }
    : { class: 'internal' };
}

function scopeOf(assistant: AssistantVendors, owner: AssistantOwner): CacheScope {
  const scope = assistant.ttsAudioCacheScope ?? 'assistant';
  const { assistantId, teamId } = owner;
  const id = scope === 'team' ? teamId : assistantId;
  return id === undefined ? { scope } : { scope, owner: id };
}

/** The assistant's enabled voices, one behind the other. Throws when none of them can serve. */
export function chooseVoice(
  shelf: VendorShelf,
  assistant: AssistantVendors,
  owner: AssistantOwner,
): Tts {
  const { clock, log, cache, tts, breaker } = shelf;
  const scope = scopeOf(assistant, owner);
  const usable: VoiceChoice[] = [];
  let firstError: unknown;
  for (const { enabled, vendor, language, voice, config } of assistant.config.speech.ttsData) {
    if (!enabled) continue;
    try {
      usable.push({
        tts: createCachedTts(tts(vendor), cache, scope),
        request: {
          ...(language ? { language } : {}),
          ...(voice ? { voice } : {}),
          ...(config ? { settings: config } : {}),
        },
        breaker: breaker('tts', vendor),
      });
    } catch (error) {
      firstError ??= error;
      log.warn({ vendor, ...failureFields(error) }, 'voice cannot serve');
    }
  }
  const [first, ...others] = usable;
  if (!first) {
    if (firstError) throw firstError;
    return tts('offline');
  }
  return createFallbackTts([first, ...others], {
    clock,
    onFallback: (error, provider) =>
      log.warn({ vendor: provider, ...failureFields(error) }, 'voice failed before it sounded'),
  });
}

/** The assistant's recogniser, with the one that takes over behind it where there is one. */
export function chooseRecogniser(shelf: VendorShelf, assistant: AssistantVendors): Stt {
  const { clock, log, stt, breaker } = shelf;
  const { stt: choice, sttFallback } = assistant.config.speech;
  const first = stt(choice.vendor);
  if (!sttFallback?.enabled || sttFallback.vendor === choice.vendor) return first;
  let second: Stt;
  try {
    second = stt(sttFallback.vendor);
  } catch (error) {
    log.warn({ vendor: sttFallback.vendor, ...failureFields(error) }, 'recogniser cannot serve');
    return first;
  }
  return createFallbackStt({
    clock,
    first,
    second,
    secondLanguages: sttFallback.languages.split(',').map((tag) => tag.trim()),
    breaker: breaker('stt', choice.vendor),
    onFallback: (error) =>
      log.warn({ vendor: choice.vendor, ...failureFields(error) }, 'recogniser was replaced'),
  });
}
