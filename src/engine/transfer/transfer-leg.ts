import type { LlmTool } from '../../ports/llm.ts';
import type { Effects } from '../machine/effects.ts';
import type { CallState } from '../state/call-state.ts';

export const CALL_FORWARD_TOOL = 'callForward';

/** What the model is told of the predefined `callForward` tool. */
export function callForwardTool(name: string): LlmTool {
  const who = name === '' ? 'a human colleague' : name;
  return {
    name: CALL_FORWARD_TOOL,
    description: `Puts the caller through to ${who} by telephone. Use it when the caller asks for a person or you cannot help. It announces itself.`,
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  };
}

/** X5: the caller was connected to the operator. */
export const isForwarded = ({ ending }: CallState) => ending?.reason === 'transferred';

/** Hangs up the operator's leg, for any reason. */
export function releaseOperator(
  state: CallState,
  effects: Effects,
  reason: string,
  say?: string,
): void {
  const { current: transfer } = state.transfer;
  state.transfer.current = undefined;
  if (!transfer) return;
  if (transfer.summaryGenId !== undefined) {
    effects.emit({ type: 'llm.cancel', genId: transfer.summaryGenId });
  }
  if (transfer.leg === 'none') return;
  if (!isForwarded(state)) effects.emit({ type: 'hold.music', on: false });
  effects.emit({
    type: 'leg.hangup',
    legId: transfer.legId,
    reason,
    ...(transfer.leg !== 'ringing' && say ? { say } : {}),
  });
}

/** Drops the transfer that the model asked for, because the caller spoke first. */
export function cancelRequestedTransfer(state: CallState): void {
  const { requested: transferDue } = state.transfer;
  state.transfer.requested = undefined;
  if (!transferDue) return;
  const content = JSON.stringify({ error: 'not transferred: the caller went on speaking' });
  state.entries.push({ role: 'tool', toolCallId: transferDue.toolCallId, content });
}
