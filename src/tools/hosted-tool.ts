import type { CallTool } from '../engine/settings/settings.ts';
import type { ToolInvocation, ToolOutcome, ToolRunner } from '../ports/tool.ts';

/** One tool of a call: its definition for the engine, its argument check and its function. */
export interface HostedTool {
  readonly tool: CallTool;
  /** Why the model's arguments are not valid, in words for the model. */
  readonly check: (
    args: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ) => Promise<string | undefined>;
  /** Never rejects. */
  readonly run: (invocation: ToolInvocation) => Promise<ToolOutcome>;
}

/** The tools of one call, by name. */
export function createToolRunner(hosted: readonly HostedTool[]): ToolRunner {
  const byName = new Map(hosted.map((entry) => [entry.tool.definition.name, entry]));
  return {
    check: async (name, args, signal) => byName.get(name)?.check(args, signal),
    async invoke(invocation) {
      const entry = byName.get(invocation.name);
      if (!entry) return { ok: false, error: `there is no tool named ${invocation.name}` };
      return entry.run(invocation);
    },
  };
}
