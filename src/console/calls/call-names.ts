import type { CallSummary } from '../../client/api.generated.ts';
import type { MessageRole } from '../../contract/call.ts';

type Named = Pick<CallSummary, 'id' | 'callType' | 'direction' | 'userNumber' | 'customer'>;

/** The caller's number or name, as far as it is known. */
export function callerName({ id, callType, userNumber, customer }: Named): string {
  const known = customer?.name ?? userNumber;
  if (known !== undefined && known !== '') return known;
  return callType === 'web' ? `Web caller ${id.slice(-4)}` : 'Unknown number';
}

/** Whose message it is. */
export const SPEAKERS: Readonly<Record<MessageRole, string>> = {
  user: 'Caller',
  assistant: 'Assistant',
  tool: 'Tool',
  system: 'Note',
};

/** Channel and direction of the call. */
export function channelName({ callType, direction }: Named): string {
  if (callType === 'web') return direction === 'outbound' ? 'Web, outbound' : 'Web';
  return direction === 'outbound' ? 'Phone, outbound' : 'Phone, inbound';
}

/** Median response time of the call in ms; undefined if no turn was answered. */
export function medianAnswerMs({ metrics }: Pick<CallSummary, 'metrics'>): number | undefined {
  const times = metrics.flatMap(({ totalMs }) => totalMs ?? []).toSorted((a, b) => a - b);
  return times[Math.floor((times.length - 1) / 2)];
}

export function isLive({ status, endAt }: Pick<CallSummary, 'status' | 'endAt'>): boolean {
  return status !== 'finished' && endAt === undefined;
}

/** Formats a duration: 420 ms, 1.25 s. */
export function spanText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** Formats an amount of money; vendors' prices are often fractions of a cent. */
export function moneyText(amount: number, currency: string): string {
  const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 4 : 2;
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}
