import type { CallTransfer } from '../contract/call.ts';
import { asNumber, asText } from '../lib/json-frame.ts';

/** The parts of a journal line that describe transfers. */
export interface TransferLine {
  /** Time since the start of the call, in ms. */
  readonly at: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Types of the journal lines that describe transfers. */
export const TRANSFER_LINES = [
  'leg.dial',
  'leg.brief',
  'leg.bridge',
  'leg.hangup',
  'operator.ringing',
  'operator.answered',
  'operator.accepted',
  'operator.declined',
  'operator.failed',
  'operator.hungUp',
] as const;

type Step = CallTransfer['steps'][number]['step'];

const STEPS: Readonly<Record<(typeof TRANSFER_LINES)[number], Step>> = {
  'leg.dial': 'dialled',
  'leg.brief': 'briefed',
  'leg.bridge': 'joined',
  'leg.hangup': 'let-go',
  'operator.ringing': 'ringing',
  'operator.answered': 'answered',
  'operator.accepted': 'accepted',
  'operator.declined': 'declined',
  'operator.failed': 'failed',
  'operator.hungUp': 'hung-up',
};

/** The steps and the outcome of each attempt to transfer the caller. */
export function presentTransfers(lines: readonly TransferLine[]): CallTransfer[] {
  const legs = new Map<number, TransferLine[]>();
  for (const line of lines) {
    const legId = asNumber(line.data.legId);
    if (legId === undefined || !isTransferLine(line.type)) continue;
    legs.set(legId, [...(legs.get(legId) ?? []), line]);
  }
  return [...legs.values()].flatMap((leg) => presentTransfer(leg) ?? []);
}

function presentTransfer(lines: readonly TransferLine[]): CallTransfer | undefined {
  const dialled = lines.find(({ type }) => type === 'leg.dial');
  if (!dialled) return undefined;
  const has = (type: string) => lines.some((line) => line.type === type);
  const isJoined = has('leg.bridge') || (has('operator.accepted') && !has('leg.brief'));
  // The first line with a reason has the cause; later ones are consequences.
  const end = lines.find(({ type, data }) => type !== 'leg.dial' && asText(data.reason) !== '');
  const reason = end && !isJoined ? asText(end.data.reason) : '';
  const cause = end && !isJoined ? asText(end.data.code) : '';
  const name = asText(dialled.data.name);
  const { mode } = dialled.data;
  return {
    to: asText(dialled.data.to),
    ...(name === '' ? {} : { name }),
    mode: mode === 'announced' || mode === 'conversational' ? mode : 'blind',
    outcome: isJoined ? 'transferred' : reason === '' ? 'pending' : 'failed',
    ...(reason === '' ? {} : { reason }),
    ...(cause === '' ? {} : { cause }),
    steps: lines.flatMap(({ at, type }) =>
      isTransferLine(type) ? [{ step: STEPS[type], atMs: at }] : [],
    ),
  };
}

function isTransferLine(type: string): type is (typeof TRANSFER_LINES)[number] {
  return type in STEPS;
}
