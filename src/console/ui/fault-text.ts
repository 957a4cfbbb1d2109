import { ApiError } from '../../client/api-error.ts';

/** The error of a request in one sentence for users. */
export function faultText(error: unknown): string {
  if (error instanceof ApiError) return sentence(error.message);
  // `fetch` could not reach the server, or the response did not come in time.
  if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) {
    return 'The service does not answer. Is it running?';
  }
  return sentence(error instanceof Error ? error.message : String(error));
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}
