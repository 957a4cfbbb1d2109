import type { LlmTool } from '../../ports/llm.ts';
import type { Mind } from '../machine/mind.ts';
import type { TransferMode } from '../settings/settings.ts';

/** Why a transfer came to nothing, as the model is told. */
export type TransferFailure =
  | 'busy'
  | 'no-answer'
  | 'declined'
  | 'voicemail'
  | 'timeout'
  | 'line-error'
  | 'operator-left'
  | 'caller-stopped-waiting';

/** One try to put the caller through. */
export interface Transfer {
  readonly legId: number;
  readonly to: string;
  readonly name: string;
  readonly extension: string;
  readonly mode: TransferMode;
  /** The model's call that asked for it, which its failure answers. */
  readonly toolCallId: string | undefined;
  /** The operator's line exists, ringing or answered. */
  dialled: boolean;
  answered: boolean;
  briefed: boolean;
  /** The generation that sums the call up for the operator, and what it has said. */
  summaryGenId: number | undefined;
  readonly summary: string[];
  /** What the caller said on hold, and whether they were told that they need not wait. */
  remarks: number;
  offered: boolean;
}

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

/** The other side of the transfer is let go, for whatever reason. */
export function releaseOperator(mind: Mind, reason: string, say?: string): void {
  const { transfer } = mind;
  mind.transfer = undefined;
  mind.disarm('transfer', 'briefing');
  if (!transfer) return;
  if (transfer.summaryGenId !== undefined) {
    mind.emit({ type: 'llm.cancel', genId: transfer.summaryGenId });
  }
  if (!transfer.dialled) return;
  if (!mind.forwarded) mind.emit({ type: 'hold.music', on: false });
  mind.emit({
    type: 'leg.hangup',
    legId: transfer.legId,
    reason,
    ...(transfer.answered && say ? { say } : {}),
  });
}

/** What the model asked for does not happen: the caller spoke first. */
export function cancelDueTransfer(mind: Mind): void {
  const { transferDue } = mind;
  mind.transferDue = undefined;
  if (!transferDue) return;
  const content = JSON.stringify({ error: 'not transferred: the caller went on speaking' });
  mind.entries.push({ role: 'tool', toolCallId: transferDue.toolCallId, content });
}
