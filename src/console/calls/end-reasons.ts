import type { EndReason } from '../../contract/failures.ts';
import type { Tone } from '../ui/tone.ts';

interface EndReasonLabel {
  readonly text: string;
  readonly tone: Tone;
}

const REASONS: Readonly<Record<EndReason, EndReasonLabel>> = {
  'user-hung-up': { text: 'Caller hung up', tone: 'neutral' },
  'user-said-end-phrase': { text: 'Caller said goodbye', tone: 'neutral' },
  'assistant-said-end-phrase': { text: 'Assistant said goodbye', tone: 'neutral' },
  'assistant-ended-call': { text: 'Assistant ended the call', tone: 'neutral' },
  'tool-ended-call': { text: 'A tool ended the call', tone: 'neutral' },
  'workflow-ended': { text: 'Workflow ended', tone: 'neutral' },
  'ended-by-control': { text: 'Ended by a supervisor or the API', tone: 'neutral' },
  transferred: { text: 'Transferred', tone: 'info' },
  voicemail: { text: 'Voicemail', tone: 'warn' },
  'idle-timeout': { text: 'Caller stayed silent', tone: 'warn' },
  'max-duration': { text: 'Maximum length reached', tone: 'warn' },
  busy: { text: 'Busy', tone: 'warn' },
  'no-answer': { text: 'No answer', tone: 'warn' },
  ended: { text: 'Ended', tone: 'neutral' },
  'vendor-not-ready': { text: 'A vendor is not ready', tone: 'bad' },
  'no-media': { text: 'No audio from the carrier', tone: 'bad' },
  'never-connected': { text: 'Never connected', tone: 'warn' },
  'connection-lost': { text: 'Connection lost', tone: 'bad' },
  failed: { text: 'Could not be reached', tone: 'bad' },
  'dialling-failed': { text: 'Dialling failed', tone: 'bad' },
  'voice-failed': { text: 'Voice failed', tone: 'bad' },
  'recogniser-failed': { text: 'Transcription failed', tone: 'bad' },
  'model-failed': { text: 'Model failed', tone: 'bad' },
  'internal-error': { text: 'Internal error', tone: 'bad' },
  'over-limit': { text: 'Over a limit of the team', tone: 'bad' },
  'team-suspended': { text: 'Team suspended', tone: 'bad' },
  'service-stopped': { text: 'Service stopped', tone: 'bad' },
  'service-restarted': { text: 'Service restarted', tone: 'bad' },
};

/** All known end reasons, for a select field. */
export const END_REASONS: readonly string[] = Object.keys(REASONS);

/** Label of an end reason; an unknown code is shown unchanged. */
export function endReason(code: string): EndReasonLabel {
  const words = code.replaceAll('-', ' ');
  const known: Readonly<Record<string, EndReasonLabel | undefined>> = REASONS;
  return known[code] ?? { text: words.charAt(0).toUpperCase() + words.slice(1), tone: 'neutral' };
}
