import { ProviderError } from '../lib/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Stt } from '../ports/stt.ts';
import type { Tts } from '../ports/tts.ts';
import type { VendorMeter } from '../ports/vendor-meter.ts';
import { allMeters } from './decorators/all-meters.ts';
import { type CacheScope, createCachedTts } from './decorators/cached-tts.ts';
import type { CircuitBreaker } from './decorators/circuit-breaker.ts';
import { createFallbackStt } from './decorators/fallback-stt.ts';
import { createFallbackTts, type VoiceChoice } from './decorators/fallback-tts.ts';
import { createMeasuredStt } from './decorators/measured-stt.ts';
import { createMeasuredTts } from './decorators/measured-tts.ts';
import type { VoiceCache } from './decorators/voice-cache.ts';
import type { VendorTts } from './tts-vendors.ts';

/** One entry of an assistant's voice list. */
interface AssistantVoice {
  readonly enabled: boolean;
  readonly vendor: string;
  readonly language?: string;
  readonly voice?: string;
  readonly config?: Readonly<Record<string, string | number | boolean>>;
}

/** The settings of an assistant that choose its recogniser, model and voices. */
export interface AssistantVendors {
  readonly assistantProvider: string;
  readonly assistantModel: string;
  readonly assistantLLMUrl: string;
  readonly ttsCacheEnabled?: boolean;
  readonly ttsAudioCacheScope?: CacheScope['scope'];
  readonly config: {
    readonly speech: {
      /** `languages`: BCP 47 tags with commas between them. */
      readonly stt: { readonly vendor: string; readonly languages?: string };
      readonly sttFallback?: {
        readonly enabled: boolean;
        readonly vendor: string;
        readonly languages: string;
      };
      readonly ttsData: readonly AssistantVoice[];
    };
  };
}

/** The team and assistant that own the call; absent fields share no cache. */
export interface AssistantOwner {
  readonly teamId?: string;
  readonly assistantId?: string;
  /** Counts this call's requests to vendors. */
  readonly meter?: VendorMeter;
}

export interface ProviderContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: VendorMeter;
  readonly cache: VoiceCache;
  readonly stt: (vendor: string) => Stt;
  readonly tts: (vendor: string) => VendorTts;
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
  return { scope, teamId, ...(id === undefined ? {} : { owner: id }) };
}

function meterOf(shelf: ProviderContext, { meter }: AssistantOwner): VendorMeter {
  return meter ? allMeters(shelf.meter, meter) : shelf.meter;
}

interface ChosenVoice {
  readonly tts: Tts;
  /** Opens the connection of the first voice in advance. */
  warm(sampleRateHz: number): void;
}

/** The assistant's enabled voices, each the fallback of the one before. Throws when none is usable. */
export function chooseVoice(
  shelf: ProviderContext,
  assistant: AssistantVendors,
  owner: AssistantOwner,
): ChosenVoice {
  const { clock, log, cache, tts, breaker } = shelf;
  const scope = scopeOf(assistant, owner);
  const meter = meterOf(shelf, owner);
  const usable: (VoiceChoice & { readonly vendor: VendorTts })[] = [];
  let firstError: unknown;
  const prepare = (vendor: VendorTts): Tts => {
    const measured = createMeasuredTts(vendor, { clock, meter });
    return assistant.ttsCacheEnabled === false ? measured : createCachedTts(measured, cache, scope);
  };
  for (const { enabled, vendor, language, voice, config } of assistant.config.speech.ttsData) {
    if (!enabled) continue;
    try {
      const chosen = tts(vendor);
      usable.push({
        vendor: chosen,
        tts: prepare(chosen),
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
    return { tts: prepare(tts('offline')), warm: () => undefined };
  }
  return {
    tts: createFallbackTts([first, ...others], {
      clock,
      onFallback: (error, provider) =>
        log.warn({ vendor: provider, ...failureFields(error) }, 'voice failed before it sounded'),
    }),
    warm: (sampleRateHz) => first.vendor.warm?.({ ...first.request, sampleRateHz }),
  };
}

/** The assistant's recogniser, with its fallback if there is one. */
export function chooseRecogniser(
  shelf: ProviderContext,
  assistant: AssistantVendors,
  owner: AssistantOwner,
): Stt {
  const { clock, log, breaker } = shelf;
  const meter = meterOf(shelf, owner);
  const stt = (vendor: string): Stt => createMeasuredStt(shelf.stt(vendor), { clock, meter });
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
