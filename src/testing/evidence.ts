import type { Evidence } from './conditions.ts';
import type { HeldConversation, HeldTurn } from './conversation.ts';
import type { ToolUse } from './test-tools.ts';
import type { TriedTransfer } from './transfers.ts';

/** What the assistant did in a call. */
export interface Deeds {
  readonly calls: readonly ToolUse[];
  readonly transfers: readonly TriedTransfer[];
}

/** Uses of tools in their order, each with the number of the caller's turn that it belongs to; 0 before the first. */
export const numbered = (
  { turns }: Pick<HeldConversation, 'turns'>,
  uses: readonly ToolUse[],
): readonly ToolUse[] =>
  uses
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((use) => ({ ...use, turn: turns.filter(({ beganAt }) => beganAt <= use.atMs).length }));

/** What happened after a turn, by its index, until the next one; else in the whole call. */
export function evidenceOf(
  held: HeldConversation,
  { calls, transfers }: Deeds,
  index?: number,
): Evidence {
  const from = index === undefined ? 0 : (held.turns[index]?.beganAt ?? 0);
  const to = index === undefined ? undefined : held.turns[index + 1]?.beganAt;
  const isWithin = (at: number) => at >= from && (to === undefined || at < to);
  const asked = ({ turn }: HeldTurn) => turn.say !== undefined || turn.press !== undefined;
  return {
    said: held.messages
      .filter(({ role, at }) => role === 'assistant' && isWithin(at))
      .map(({ text }) => text)
      .join('\n'),
    tools: calls.filter(({ atMs }) => isWithin(atMs)),
    transfers: transfers.filter(({ atMs }) => isWithin(atMs)),
    answersMs: held.turns.flatMap((turn, n) =>
      (index === undefined ? asked(turn) : n === index) ? [held.answersMs[n]] : [],
    ),
    endReason: to === undefined ? held.endReason : undefined,
  };
}
