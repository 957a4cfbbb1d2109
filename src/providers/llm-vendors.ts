import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { Clock } from '../ports/clock.ts';
import { createLimitedLlm } from './decorators/limited-llm.ts';
import type { TurnQueue } from './decorators/turn-queue.ts';
import { createOfflineLlm } from './offline/llm/adapter.ts';
import { createOpenAiLlm, type WarmableLlm } from './openai-llm/adapter.ts';
import { CHAT_QUIRKS, type ChatProviderName, type ChatQuirks } from './openai-llm/quirks.ts';
import { findAccess, requireKey, unusable, type VendorAccesses } from './usable-vendor.ts';
import type { VendorQueues } from './vendor-queues.ts';

/** The model settings of an assistant; empty strings select the vendor's defaults. */
export interface LlmChoice {
  readonly provider: string;
  readonly model: string;
  /** Only for `custom-llm`. */
  readonly url: string;
}

export interface LlmContext {
  readonly vendors: VendorAccesses;
  readonly clock: Clock;
  readonly createId: () => string;
  readonly queues: VendorQueues;
  /** For URLs that the operator configured. */
  readonly trustedFetch: OutboundFetch;
  /** For URLs that a user gave. */
  readonly guardedFetch: OutboundFetch;
}

/** Model vendors by name, in the order of default choice among those with a key. */
export const LLM_VENDORS: readonly ChatProviderName[] = [
  'openai',
  'azure-openai',
  'google',
  'deepseek',
  'anthropic',
  'custom-llm',
  'offline',
];

/** True if this vendor can be the default for an assistant that names none. */
export function isLlmReady(vendor: ChatProviderName, vendors: VendorAccesses): boolean {
  if (vendor === 'custom-llm' || vendor === 'offline') return false;
  const { apiKey, baseUrl } = findAccess(vendors, vendor);
  const quirks: ChatQuirks = CHAT_QUIRKS[vendor];
  const hasDefaults = (baseUrl ?? quirks.baseUrl) !== undefined && quirks.defaultModel;
  return Boolean(apiKey && hasDefaults);
}

/** Name of the model to request. */
export function modelOf({ provider, model }: LlmChoice): string {
  const quirks: ChatQuirks | undefined = LLM_VENDORS.some((name) => name === provider)
    ? CHAT_QUIRKS[provider as ChatProviderName]
    : undefined;
  return model || quirks?.defaultModel || '';
}

/** How to reach a model. */
interface LlmRoute {
  readonly vendor: Exclude<ChatProviderName, 'offline'>;
  /** Absent for a user's own server. */
  readonly account?: {
    readonly vendor: Exclude<ChatProviderName, 'offline' | 'custom-llm'>;
    readonly apiKey: string;
  };
  readonly model: string;
  readonly quirks: ChatQuirks;
  readonly baseUrl: string;
}

/** Undefined for the built-in responder. Throws ProviderError when the choice cannot be used. */
export function routeOf(choice: LlmChoice, vendors: VendorAccesses): LlmRoute | undefined {
  const vendor = LLM_VENDORS.find((name) => name === choice.provider);
  if (!vendor) {
    const known = LLM_VENDORS.join(', ');
    throw unusable(
      choice.provider,
      'unknown_vendor',
      `No model vendor "${choice.provider}"; known: ${known}`,
    );
  }
  if (vendor === 'offline') return undefined;
  const quirks: ChatQuirks = CHAT_QUIRKS[vendor];
  const model = modelOf(choice);
  if (!model) throw unusable(vendor, 'no_model', `${vendor} has no default model: name one`);
  if (vendor === 'custom-llm') {
    if (choice.url === '') throw unusable(vendor, 'no_url', 'custom-llm needs assistantLLMUrl');
    return { vendor, model, quirks, baseUrl: choice.url };
  }
  const baseUrl = findAccess(vendors, vendor).baseUrl ?? quirks.baseUrl;
  if (!baseUrl) {
    const name = `${vendor.toUpperCase().replaceAll('-', '_')}_BASE_URL`;
    throw unusable(vendor, 'no_url', `${vendor} has no address: set ${name}`);
  }
  const account = { vendor, apiKey: requireKey(vendors, vendor) };
  return { vendor, model, quirks, baseUrl, account };
}

/** Throws ProviderError when the choice cannot be used. */
export function createLlm(choice: LlmChoice, context: LlmContext): WarmableLlm {
  const { clock, createId, queues } = context;
  const route = routeOf(choice, context.vendors);
  if (!route) return createOfflineLlm({ clock, createId });
  const { vendor, model, quirks, baseUrl, account } = route;
  const common = { provider: vendor, model, quirks, baseUrl, clock, createId };
  if (!account) {
    // A separate queue, so one team's slow server does not delay another's.
    const own = createOpenAiLlm({ ...common, fetch: context.guardedFetch });
    return limited(own, queues.create('llm', vendor));
  }
  const { apiKey } = account;
  const ours = createOpenAiLlm({ ...common, apiKey, fetch: context.trustedFetch });
  return limited(ours, queues.of('llm', vendor, account.vendor));
}

function limited(model: WarmableLlm, queue: TurnQueue): WarmableLlm {
  return { ...createLimitedLlm(model, queue), warm: () => model.warm?.() };
}
