import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/client.ts';
import type { Said } from '../web-call.ts';

const TRIES = 5;
const PAUSE_MS = 300;

interface Followed {
  readonly onTranscript: (said: Said) => void;
  readonly onState: (state: { readonly user: string; readonly assistant: string }) => void;
}

/** A line of the call's log, as far as it is shown. */
type LogLine =
  | { readonly type: 'transcript.live'; readonly data: Said }
  | {
      readonly type: 'state';
      readonly data: { readonly user: string; readonly assistant: string };
    };

/** Shows a call as it goes on, whoever holds it: what is said and who speaks. Ends with the call or the signal. */
export async function followCall(
  client: Client,
  id: string,
  { onTranscript, onState }: Followed,
  signal: AbortSignal,
): Promise<void> {
  const url = await fetchAddress(client, id, signal);
  const given = new URL(url);
  const address = new URL(`${given.pathname}${given.search}`, location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  if (signal.aborted) return;
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  signal.addEventListener('abort', () => socket.close(), { once: true });
  socket.onmessage = ({ data }) => {
    // The sound of it is in the receiver already.
    if (typeof data !== 'string') return;
    const frame = JSON.parse(data) as { readonly type: string; readonly event?: LogLine };
    if (frame.type !== 'event' || !frame.event) return;
    if (frame.event.type === 'transcript.live') onTranscript(frame.event.data);
    else if (frame.event.type === 'state') onState(frame.event.data);
  };
}

/** A call may be answered a moment before it can be listened to. */
async function fetchAddress(client: Client, id: string, signal: AbortSignal): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await client.call('createListenToken', { path: { id }, signal })).url;
    } catch (error) {
      const early = error instanceof ApiError && (error.status === 409 || error.status === 404);
      if (!early || attempt === TRIES || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
