import type { LlmTool } from '../ports/llm.ts';
import type { ToolInvocation } from '../ports/tool.ts';
import { type CallerDeps, Refusal } from './caller.ts';
import { argumentCheck } from './check-arguments.ts';
import type { HostedTool } from './hosted-tool.ts';

const TIMEOUT_MS = 8000;

interface Predefined {
  readonly definition: LlmTool;
  readonly readOnly: boolean;
  /** The resolved value, as JSON, is the result; a {@link Refusal} tells the model why not. */
  readonly act: (invocation: ToolInvocation) => Promise<unknown>;
}

/** A built-in tool: on any failure the model gets a sentence and the log gets the cause. */
export function createPredefinedTool(
  { log }: Pick<CallerDeps, 'log'>,
  { definition, readOnly, act }: Predefined,
): HostedTool {
  return {
    tool: { definition, async: false, readOnly, timeoutMs: TIMEOUT_MS, lines: [] },
    check: argumentCheck(definition),
    async run(invocation) {
      try {
        return { ok: true, result: JSON.stringify(await act(invocation)) };
      } catch (error) {
        if (error instanceof Refusal) return { ok: false, error: error.message };
        log.warn({ err: error, tool: definition.name }, 'a predefined tool failed');
        return { ok: false, error: 'that is not possible at the moment', code: 'internal' };
      }
    },
  };
}
