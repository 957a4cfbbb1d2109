import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/client.ts';
import type { Said } from '../../../web-client/media-socket.ts';

const TRIES = 5;
const PAUSE_MS = 300;

interface Followed {
  readonly onTranscript: (said: Said) => void;
  readonly onState: (state: { readonly user: string; readonly assistant: string }) => void;
}

/** The lines of the call's journal that are shown. */
type LogLine =
  | { readonly type: 'transcript.live'; readonly data: Said }
  | {
      readonly type: 'state';
      readonly data: { readonly user: string; readonly assistant: string };
    };

/**
 * Reports the transcript and states of a live call, on whatever channel it runs. Resolves when the call ends or the
 * signal aborts.
 */
export async function followCall(
  client: Client,
  id: string,
  followed: Followed,
  signal: AbortSignal,
): Promise<void> {
  // A call may be answered a moment before it accepts listeners.
  for (let attempt = 1; attempt <= TRIES && !signal.aborted; attempt++) {
    try {
      const { url } = await client.call('createListenToken', { path: { id }, signal });
      if (await listen(new URL(url), followed, signal)) return;
    } catch (error) {
      const early = error instanceof ApiError && (error.status === 409 || error.status === 404);
      if (!early || attempt === TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Resolves when the socket closes; false if the call could not be listened to. */
function listen(given: URL, followed: Followed, signal: AbortSignal): Promise<boolean> {
  const address = new URL(`${given.pathname}${given.search}`, location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(true);
    let began = false;
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    signal.addEventListener('abort', () => socket.close(), { once: true });
    socket.onclose = () => resolve(began || signal.aborted);
    socket.onmessage = ({ data }) => {
      // Ignore audio: the phone already plays it.
      if (typeof data !== 'string') return;
      const frame = JSON.parse(data) as { readonly type: string; readonly event?: LogLine };
      began ||= frame.type === 'format';
      if (frame.type === 'event' && frame.event) show(frame.event, followed);
    };
  });
}

function show(line: LogLine, { onTranscript, onState }: Followed): void {
  if (line.type === 'transcript.live') onTranscript(line.data);
  else if (line.type === 'state') onState(line.data);
}
