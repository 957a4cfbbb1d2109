import type { CallEnd } from '../web-client/media-socket.ts';
import { CallRefused } from './public-call.ts';

/** What the browser says when it gives no microphone, or no sound. */
const SOUND: Readonly<Record<string, string>> = {
  NotAllowedError: 'The microphone is blocked. Allow it for this page, then call again.',
  NotFoundError: 'There is no microphone. Connect one, then call again.',
  NotReadableError: 'Another program uses the microphone. Close it, then call again.',
  InvalidStateError: 'This device plays no sound. Connect a loudspeaker, then call again.',
};

/** Why a call did not begin, for the visitor. */
export function explain(error: unknown): string {
  if (error instanceof CallRefused) return `${error.message}.`;
  const name = error instanceof Error ? error.name : '';
  if (!isSecureContext) return 'This page is not served over https, so it gets no microphone.';
  return SOUND[name] ?? 'The call could not be started. Try again in a moment.';
}

/** Why a call ended, for the visitor; empty if it needs no words. */
export function explainEnd({ reason, error }: CallEnd): string {
  if (error) return error.message;
  if (reason === 'connection-lost') return 'The connection was lost. Call again.';
  if (reason === 'not-answered') return 'The call was not answered. Try again in a moment.';
  return '';
}
