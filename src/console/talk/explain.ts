import { ApiError } from '../../client/api-error.ts';
import type { CallEnd } from '../../web-client/media-socket.ts';

/** A message for users: what happened and what they can do. */
export interface Explanation {
  readonly title: string;
  readonly text: string;
}

/** Explains an error of a call. */
export function explainError(error: unknown): Explanation {
  if (error instanceof ApiError) return explainApiError(error);
  const name = error instanceof Error ? error.name : '';
  // Thrown by `fetch` when the server cannot be reached.
  if (error instanceof TypeError || name === 'TimeoutError') {
    return {
      title: 'The service does not answer',
      text: 'Check that it is running (npm start), then try again.',
    };
  }
  switch (name) {
    case 'NotAllowedError':
      return {
        title: 'The microphone is blocked',
        text: 'Allow the microphone for this page in the address bar or in the browser’s settings, then call again.',
      };
    case 'NotFoundError':
      return {
        title: 'No microphone found',
        text: 'Connect a microphone or switch it on, then call again.',
      };
    case 'NotReadableError':
      return {
        title: 'The microphone is in use',
        text: 'Another program uses it. Close that program, then call again.',
      };
    default:
      return {
        title: 'The call could not be started',
        text: error instanceof Error ? error.message : String(error),
      };
  }
}

/** The page is neither on https nor on localhost, so browsers refuse the microphone. */
export const insecurePage: Explanation = {
  title: 'This page may not use the microphone',
  text: 'Browsers allow the microphone only on https or localhost. Open the console at such an address.',
};

/** Explains why a call ended; undefined if no explanation is needed. */
export function explainEnd({ reason, error }: CallEnd): Explanation | undefined {
  if (error) return { title: 'The call was interrupted', text: asSentence(error.message) };
  if (reason === 'connection-lost') {
    return {
      title: 'The connection was lost',
      text: 'The call ended after 15 seconds without a connection. Check the network, then call again.',
    };
  }
  if (reason === 'not-answered') {
    return {
      title: 'The call was not answered',
      text: 'The service accepted the call, but its media socket could not be reached. If there is a proxy, check that it passes WebSockets.',
    };
  }
  return undefined;
}

function explainApiError({ status, message }: ApiError): Explanation {
  if (status === 429) {
    return {
      title: 'All lines are busy',
      text: `The service said: ${message}. Try again in a moment.`,
    };
  }
  if (status === 503) {
    return {
      title: 'The service takes no calls now',
      text: 'It is starting or stopping. Try again in a moment.',
    };
  }
  return { title: 'The service refused', text: message };
}

function asSentence(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
