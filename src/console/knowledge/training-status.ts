import type { KnowledgeBase } from '../../client/api.generated.ts';

type Training = Pick<KnowledgeBase, 'status' | 'statusReason'>;

interface StatusView {
  readonly text: string;
  readonly tone: 'neutral' | 'info' | 'good' | 'warn' | 'bad';
  readonly live: boolean;
}

const FIRST_POLL_MS = 700;
const LONGEST_POLL_MS = 10_000;

/** True if training is queued or running. */
export function isUnderway({ status }: Pick<Training, 'status'>): boolean {
  return status === 'queued' || status === 'training';
}

/** Training status in words. */
export function statusView({ status, statusReason }: Training): StatusView {
  if (status === 'queued') return { text: 'Waiting to be trained', tone: 'info', live: true };
  if (status === 'training') return { text: 'Training', tone: 'info', live: true };
  if (status === 'trained' && statusReason !== undefined)
    return { text: 'Partly trained', tone: 'warn', live: false };
  if (status === 'trained') return { text: 'Trained', tone: 'good', live: false };
  if (statusReason !== undefined) return { text: 'Training failed', tone: 'bad', live: false };
  return { text: status === 'draft' ? 'Empty' : 'Not trained', tone: 'neutral', live: false };
}

/** Delay before the next poll; grows with the number of polls. */
export function pollAfterMs(timesAsked: number): number {
  return Math.min(Math.round(FIRST_POLL_MS * 1.5 ** timesAsked), LONGEST_POLL_MS);
}

/** The part of a failed training's reason that concerns this source. A reason starts with the name of its source. */
export function faultOfSource(training: Training, source: string): string | undefined {
  const { statusReason: reason } = training;
  if (reason === undefined || isUnderway(training) || !reason.startsWith(source)) return undefined;
  const rest = reason.slice(source.length);
  // `a.pdf` must not match `a.pdf.txt`, nor a page the pages below it.
  if (!/^[: ]/.test(rest)) return undefined;
  const message = rest.replace(/^:?\s+/, '');
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}
