import { BRIEFING_TOOLS } from '../../engine/transfer/briefing.ts';
import type { Llm, LlmRequest } from '../../ports/llm.ts';

/** A scripted model answers callers: what an operator says to the assistant, this other model understands. */
export const withBriefing = (scripted: Llm, briefing: () => Llm): Llm => ({
  provider: scripted.provider,
  stream: (request) => (isOfBriefing(request) ? briefing() : scripted).stream(request),
});

const isOfBriefing = ({ tools = [] }: LlmRequest): boolean =>
  BRIEFING_TOOLS.every((name) => tools.some((tool) => tool.name === name));
