import type { CallTool, ToolLine } from '../settings/settings.ts';
import type { CallState } from '../state/call-state.ts';
import type { AnswerLine } from '../state/tools.ts';

export const findTool = (state: CallState, name: string): CallTool | undefined =>
  state.settings.tools.find((tool) => tool.definition.name === name);

export function linesOf(
  state: CallState,
  name: string,
  type: ToolLine['type'],
): readonly ToolLine[] {
  return findTool(state, name)?.lines.filter((line) => line.type === type) ?? [];
}

/** Several lines of a kind are variants: the seed and the number of messages so far choose. */
export function pickLine(state: CallState, lines: readonly ToolLine[]): ToolLine | undefined {
  return lines[(state.settings.seed + state.entries.length) % Math.max(1, lines.length)];
}

/** T3, T4: the answer's own message, else the tool's line, else nothing. */
export function lineAfter(
  state: CallState,
  name: string,
  { ok, message }: { readonly ok: boolean; readonly message: string | undefined },
): AnswerLine {
  const lines = linesOf(state, name, ok ? 'request-complete' : 'request-failed');
  const said = pickLine(
    state,
    lines.filter(({ role }) => role === 'assistant'),
  );
  const hint = pickLine(
    state,
    lines.filter(({ role }) => role === 'system'),
  );
  return {
    spoken: message ?? said?.content,
    hint: hint?.content,
    endCall: said?.endCall ?? hint?.endCall ?? false,
  };
}
