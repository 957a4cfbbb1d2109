import { z } from 'zod';
import type { FailingPart } from './failures.ts';

/** What a supervisor should see of a call. Each is a fact of its log, none is a guess. */
export const ALERT_KINDS = [
  'long-silence',
  'tool-failed',
  'transfer-failed',
  'model-failed',
  'speech-failed',
  'playback-failed',
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

export const CallAlertSchema = z
  .strictObject({
    kind: z
      .enum(ALERT_KINDS)
      .describe('long-silence: a reply was due for five seconds and had not begun.'),
    atMs: z.number().describe('The last time, in milliseconds since the start of the call.'),
  })
  .meta({ title: 'CallAlert' });

/** The last time of each kind, in ms since the start of the call. */
export type CallAlerts = Readonly<Partial<Record<AlertKind, number>>>;

interface Line {
  readonly at: number;
  readonly kind: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const BY_PART: Readonly<Partial<Record<FailingPart, AlertKind>>> = {
  tool: 'tool-failed',
  transfer: 'transfer-failed',
  llm: 'model-failed',
  stt: 'speech-failed',
  tts: 'speech-failed',
  playback: 'playback-failed',
};

/** The alerts of lines of a call's log. */
export function alertsOf(lines: readonly Line[]): CallAlerts {
  const alerts: Partial<Record<AlertKind, number>> = {};
  for (const line of lines) {
    const kind = alertOf(line);
    if (kind) alerts[kind] = Math.round(line.at);
  }
  return alerts;
}

function alertOf({ kind, type, data }: Line): AlertKind | undefined {
  if (kind === 'event') return type === 'operator.failed' ? 'transfer-failed' : undefined;
  if (kind !== 'command' || type !== 'webhook') return undefined;
  if (data.kind === 'hang') return 'long-silence';
  const failure = data.data as { readonly type?: FailingPart } | undefined;
  return data.kind === 'error' && failure?.type ? BY_PART[failure.type] : undefined;
}
