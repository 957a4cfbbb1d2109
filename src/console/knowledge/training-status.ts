import type { KnowledgeBase } from '../../client/api.generated.ts';

type Training = Pick<KnowledgeBase, 'status' | 'statusReason'>;

interface StatusView {
  readonly text: string;
  readonly tone: 'neutral' | 'info' | 'good' | 'warn' | 'bad';
  readonly live: boolean;
}

const FIRST_POLL_MS = 700;
const LONGEST_POLL_MS = 10_000;

/** Whether its training is still to end. */
export function isUnderway({ status }: Pick<Training, 'status'>): boolean {
  return status === 'queued' || status === 'training';
}

/** How far a knowledge base is, for people. */
export function statusView({ status, statusReason }: Training): StatusView {
  if (status === 'queued') return { text: 'Waiting to be trained', tone: 'info', live: true };
  if (status === 'training') return { text: 'Training', tone: 'info', live: true };
  if (status === 'trained' && statusReason !== undefined)
    return { text: 'Trained in part', tone: 'warn', live: false };
  if (status === 'trained') return { text: 'Trained', tone: 'good', live: false };
  if (statusReason !== undefined) return { text: 'Training failed', tone: 'bad', live: false };
  return { text: status === 'draft' ? 'Empty' : 'Not trained', tone: 'neutral', live: false };
}

/** How long to wait before asking again how far a training is: longer, the longer it takes. */
export function pollAfterMs(timesAsked: number): number {
  return Math.min(Math.round(FIRST_POLL_MS * 1.5 ** timesAsked), LONGEST_POLL_MS);
}

/** The part of a failed training's reason that is about this source; its reason begins with the source's name. */
export function faultOfSource(training: Training, source: string): string | undefined {
  const { statusReason: reason } = training;
  if (reason === undefined || isUnderway(training) || !reason.startsWith(source)) return undefined;
  const rest = reason.slice(source.length);
  // `a.pdf` is not `a.pdf.txt`, nor is a page the one beneath it.
  if (!/^[: ]/.test(rest)) return undefined;
  const told = rest.replace(/^:?\s+/, '');
  return `${told.charAt(0).toUpperCase()}${told.slice(1)}`;
}
