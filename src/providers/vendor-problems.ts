import type { VendorProblem } from '../contract/vendors.ts';
import { ProviderError } from '../lib/errors.ts';
import type { AssistantVendors } from './assistant-vendors.ts';
import { endOfModel } from './vendor-defaults.ts';

/** Each check throws ProviderError when its vendor is unusable. */
interface VendorChecks {
  readonly llm: (assistant: AssistantVendors) => void;
  readonly stt: (vendor: string) => void;
  readonly tts: (vendor: string) => void;
}

/** Finds the vendors an assistant names that are unusable in this service's configuration. */
export function findVendorProblems(
  assistant: AssistantVendors,
  checks: VendorChecks,
): readonly VendorProblem[] {
  const { stt, sttFallback, ttsData } = assistant.config.speech;
  const voices = ttsData.flatMap(({ enabled, vendor }, index) => {
    const path = `config.speech.ttsData.${index}.vendor`;
    return enabled ? [problemOf(path, () => checks.tts(vendor))] : [];
  });
  // One usable voice is enough; the others are fallbacks.
  const mute = voices.every((problem) => problem !== undefined);
  return [
    endingModel(assistant),
    problemOf('assistantProvider', () => checks.llm(assistant)),
    problemOf('config.speech.stt.vendor', () => checks.stt(stt.vendor)),
    ...voices.map((problem) => problem && { ...problem, blocks: mute }),
    sttFallback?.enabled
      ? problemOf('config.speech.sttFallback.vendor', () => checks.stt(sttFallback.vendor), false)
      : undefined,
  ].filter((problem) => problem !== undefined);
}

/** A model that has ended or will end: the assistant works now, or did until recently. */
function endingModel({
  assistantProvider: vendor,
  assistantModel,
}: AssistantVendors): VendorProblem | undefined {
  const ending = endOfModel(vendor, assistantModel);
  if (!ending) return undefined;
  const { model, endsOn, successor } = ending;
  const message = `${vendor} ends ${model} on ${endsOn}; it names ${successor} in its place`;
  return { path: 'assistantModel', vendor, code: 'model_ending', message, blocks: false };
}

function problemOf(path: string, check: () => void, blocks = true): VendorProblem | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { provider, code, message } = error;
    return { path, vendor: provider, code, message, blocks };
  }
}
