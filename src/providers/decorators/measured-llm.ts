import type { Clock } from '../../ports/clock.ts';
import type { Llm, LlmPart, LlmRequest, LlmUsage } from '../../ports/llm.ts';
import type { VendorMeter, VendorName, VendorUsage } from '../../ports/vendor-meter.ts';
import { withOutcome } from './outcome.ts';

/** For text in a Latin script; accurate enough for an answer that was cut off before its usage arrived. */
const CHARS_PER_TOKEN = 4;

/** Measures the latency and usage of a model's answers. */
export function createMeasuredLlm(
  llm: Llm,
  {
    model,
    clock,
    meter,
  }: { readonly model: string; readonly clock: Clock; readonly meter: VendorMeter },
): Llm {
  const name: VendorName = { kind: 'llm', vendor: llm.provider, model };
  return { provider: llm.provider, stream: (request) => measure(request) };

  function measure(request: LlmRequest): AsyncIterable<LlmPart> {
    const startedAt = clock.now();
    let usage: LlmUsage | undefined;
    let outputChars = 0;
    let begun = false;
    return withOutcome(llm.stream(request), request.signal, {
      onPart(part) {
        if (!begun) meter.latency(name, clock.now() - startedAt);
        begun = true;
        if (part.type === 'text') outputChars += part.text.length;
        else if (part.type === 'tool-call') outputChars += part.call.arguments.length;
        else usage = part.usage;
      },
      onEnd(outcome) {
        // An answer that never began is not charged.
        const counted = usage ?? (begun ? estimate(request, outputChars) : undefined);
        meter.finished(name, outcome, counted ? tokensOf(counted) : {});
      },
    });
  }
}

function tokensOf({ inputTokens, outputTokens, cachedTokens }: LlmUsage): VendorUsage {
  return { inputTokens, outputTokens, ...(cachedTokens === undefined ? {} : { cachedTokens }) };
}

function estimate(request: LlmRequest, outputChars: number): LlmUsage {
  const inputChars = request.messages.reduce((sum, { content }) => sum + content.length, 0);
  return {
    inputTokens: Math.ceil(inputChars / CHARS_PER_TOKEN),
    outputTokens: Math.ceil(outputChars / CHARS_PER_TOKEN),
  };
}
