/** Messages from the built-in carrier to a phone. */
export type HandsetEvent =
  | { readonly type: 'ready'; readonly number: string; readonly sampleRate: number }
  | { readonly type: 'dialling'; readonly to: string }
  | { readonly type: 'ringing'; readonly from: string }
  | { readonly type: 'answered'; readonly peer: string; readonly callId?: string }
  | { readonly type: 'ended'; readonly reason: string }
  | { readonly type: 'sms'; readonly from: string; readonly text: string }
  | { readonly type: 'sms-sent'; readonly to: string }
  | {
      readonly type: 'refused';
      readonly request: 'call' | 'sms';
      readonly code: string;
      readonly message: string;
    }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

type HandsetRequest =
  | { readonly type: 'call'; readonly to: string }
  | { readonly type: 'answer' | 'decline' | 'hangup' }
  | { readonly type: 'dtmf'; readonly digit: string }
  | { readonly type: 'sms'; readonly to: string; readonly text: string };

interface HandsetHandlers {
  readonly onEvent: (event: HandsetEvent) => void;
  readonly onAudio: (pcm: ArrayBuffer) => void;
  /** The socket has closed, from either side. */
  readonly onClosed: () => void;
}

const READY_MS = 15_000;
const MAX_UNSENT_BYTES = 96_000;

/** A phone at the built-in carrier; it can call and be called while its socket is open. */
export class HandsetSocket {
  readonly #socket: WebSocket;
  #isReady = false;

  constructor(url: URL, sampleRate: number, handlers: HandsetHandlers) {
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    const late = setTimeout(() => socket.close(), READY_MS);
    socket.onopen = () => socket.send(JSON.stringify({ type: 'start', sampleRate }));
    socket.onmessage = ({ data }) => {
      if (typeof data !== 'string') {
        handlers.onAudio(data);
        return;
      }
      const event = JSON.parse(data) as HandsetEvent;
      if (event.type === 'ready') {
        clearTimeout(late);
        this.#isReady = true;
      }
      handlers.onEvent(event);
    };
    socket.onclose = () => {
      clearTimeout(late);
      this.#isReady = false;
      handlers.onClosed();
    };
  }

  sendAudio(pcm: ArrayBuffer): void {
    if (this.#isReady && this.#socket.bufferedAmount < MAX_UNSENT_BYTES) this.#socket.send(pcm);
  }

  send(request: HandsetRequest): void {
    if (this.#isReady) this.#socket.send(JSON.stringify(request));
  }

  close(): void {
    this.#socket.close();
  }
}
