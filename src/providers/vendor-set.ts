import type { ProviderError } from '../lib/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Stt } from '../ports/stt.ts';
import type { VendorMeter } from '../ports/vendor-meter.ts';
import type { BuiltInEngines } from './built-in-engines.ts';
import { CircuitBreaker } from './decorators/circuit-breaker.ts';
import { createHedgedLlm } from './decorators/hedged-llm.ts';
import { createMeasuredLlm } from './decorators/measured-llm.ts';
import { createLlm, type LlmChoice, type LlmContext, modelOf } from './llm-vendors.ts';
import { LOCAL, type LocalModels } from './local-models.ts';
import type { WarmableLlm } from './openai-llm/adapter.ts';
import { createStt, KEYED_STT_VENDORS, type SttContext } from './stt-vendors.ts';
import { createTts, KEYED_TTS_VENDORS, type VendorTts } from './tts-vendors.ts';
import { unusable } from './usable-vendor.ts';
import { endOfModel } from './vendor-defaults.ts';

/** The adapters that use one set of accounts; each is made when it is first asked for. */
export interface VendorSet {
  llm(choice: LlmChoice): WarmableLlm;
  stt(vendor: string): Stt;
  tts(vendor: string): VendorTts;
  breaker(kind: 'stt' | 'tts', vendor: string): CircuitBreaker;
  close(): void;
}

interface VendorSetOptions {
  readonly context: LlmContext & SttContext & { readonly clock: Clock };
  readonly builtIn: BuiltInEngines;
  readonly local: LocalModels;
  readonly meter: VendorMeter;
  readonly log: Log;
}

export const RECOGNISER_NAMES: readonly string[] = [...KEYED_STT_VENDORS, LOCAL, 'offline'];
export const VOICE_NAMES: readonly string[] = [...KEYED_TTS_VENDORS, LOCAL, 'offline'];

/** Maximum number of cached models; each keeps what it has learnt about its server. */
const MAX_MODELS = 256;

export function createVendorSet(options: VendorSetOptions): VendorSet {
  const { context, builtIn, local, meter, log } = options;
  const { clock } = context;
  const recognisers = new Map<string, Stt>([['offline', builtIn.recogniser]]);
  const voices = new Map<string, VendorTts>();
  const models = new Map<string, WarmableLlm>();
  const breakers = new Map<string, CircuitBreaker>();

  /** Times each request, including the hedges. */
  const measured = (model: WarmableLlm, choice: LlmChoice): WarmableLlm => {
    const ending = endOfModel(choice.provider, choice.model);
    if (ending) log.warn({ ...ending }, 'an assistant uses a model that its vendor ends');
    const timed = createMeasuredLlm(model, { model: modelOf(choice), clock, meter });
    return hedged({ ...timed, warm: () => model.warm?.() }, clock);
  };
  return {
    llm(choice) {
      const key = JSON.stringify([choice.provider, choice.model, choice.url]);
      const model = models.get(key) ?? measured(createLlm(choice, context), choice);
      // Moves the model to the end of the eviction order.
      models.delete(key);
      models.set(key, model);
      const oldest = models.keys().next().value;
      if (models.size > MAX_MODELS && oldest !== undefined) models.delete(oldest);
      return model;
    },
    stt(vendor) {
      if (vendor === LOCAL) return local.stt();
      const recogniser = recognisers.get(vendor) ?? createStt(vendor, context);
      if (!recogniser) throw unknownVendor('recogniser', vendor, RECOGNISER_NAMES);
      recognisers.set(vendor, recogniser);
      return recogniser;
    },
    tts(vendor) {
      if (vendor === 'offline') return builtIn.voice;
      if (vendor === LOCAL) return local.tts();
      const voice = voices.get(vendor) ?? createTts(vendor, context);
      if (!voice) throw unknownVendor('voice', vendor, VOICE_NAMES);
      voices.set(vendor, voice);
      return voice;
    },
    breaker(kind, vendor) {
      const key = `${kind} ${vendor}`;
      const breaker = breakers.get(key) ?? new CircuitBreaker(clock);
      breakers.set(key, breaker);
      return breaker;
    },
    close() {
      for (const voice of voices.values()) voice.close?.();
    },
  };
}

function unknownVendor(kind: string, vendor: string, known: readonly string[]): ProviderError {
  const message = `No ${kind} vendor "${vendor}"; known: ${known.join(', ')}`;
  return unusable(vendor, 'unknown_vendor', message);
}

/** A user's own server is not hedged, as it may generate one answer at a time; the built-in model is never late. */
function hedged(model: WarmableLlm, clock: Clock): WarmableLlm {
  const alone = model.provider === 'custom-llm' || model.provider === 'offline';
  return alone ? model : { ...createHedgedLlm(model, { clock }), warm: () => model.warm?.() };
}
