import type { Mind } from '../machine/mind.ts';
import type { CallTool, ToolLine } from '../settings/settings.ts';

export const findTool = (mind: Mind, name: string): CallTool | undefined =>
  mind.settings.tools.find((tool) => tool.definition.name === name);

export function linesOf(mind: Mind, name: string, type: ToolLine['type']): readonly ToolLine[] {
  return findTool(mind, name)?.lines.filter((line) => line.type === type) ?? [];
}

/** Several lines of a kind are variants: the seed and the number of messages so far choose. */
export function pickLine(mind: Mind, lines: readonly ToolLine[]): ToolLine | undefined {
  return lines[(mind.settings.seed + mind.entries.length) % Math.max(1, lines.length)];
}

/** What follows from a tool's answer: something to be said instead of asking the model, or a hint for the model. */
export interface AnswerLine {
  readonly spoken: string | undefined;
  readonly hint: string | undefined;
  readonly endCall: boolean;
}

/** T3, T4: the answer's own message, else the tool's line, else nothing. */
export function lineAfter(
  mind: Mind,
  name: string,
  { ok, message }: { readonly ok: boolean; readonly message: string | undefined },
): AnswerLine {
  const lines = linesOf(mind, name, ok ? 'request-complete' : 'request-failed');
  const said = pickLine(
    mind,
    lines.filter(({ role }) => role === 'assistant'),
  );
  const hint = pickLine(
    mind,
    lines.filter(({ role }) => role === 'system'),
  );
  return {
    spoken: message ?? said?.content,
    hint: hint?.content,
    endCall: said?.endCall ?? hint?.endCall ?? false,
  };
}
