import { CALL_TOOLS } from '../contract/reserved-tool-names.ts';
import { parseToolArguments } from '../engine/tools/tool-call.ts';
import { asText } from '../lib/json-frame.ts';
import type { ToolUse } from './test-tools.ts';

interface Line {
  readonly type?: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

/**
 * The tools that the call carries out itself, as the model asked for them by the call's log: none of them is invoked. An
 * answer that was given up, or prepared ahead and not used, asks for nothing. Pure.
 */
export function ownToolsOf(lines: readonly Line[]): readonly ToolUse[] {
  return lines
    .filter(({ type, data }) => type === 'llm.toolCall' && CALL_TOOLS.has(asText(data.name)))
    .filter(({ data: { genId } }) => {
      const own = lines.filter(({ data }) => data.genId === genId);
      const done = own.findIndex(({ type }) => type === 'llm.done');
      const cancelled = own.findIndex(({ type }) => type === 'llm.cancel');
      const isAhead = own.some(
        ({ type, data }) => type === 'llm.start' && data.speculative === true,
      );
      const isUsed = !isAhead || own.some(({ type }) => type === 'llm.adopt');
      return isUsed && done >= 0 && (cancelled < 0 || cancelled > done);
    })
    .map(({ data, atMs }) => ({
      name: asText(data.name),
      arguments: parseToolArguments(asText(data.arguments)) ?? {},
      ok: true,
      turn: 0,
      atMs,
    }));
}
