/** Messages from the built-in carrier to a phone. */
export type HandsetEvent =
  | {
      readonly type: 'ready';
      readonly number: string;
      readonly sampleRate: number;
      /** Opens the next socket. */
      readonly resumeToken?: string;
      /** The call that the phone had before its socket broke goes on. */
      readonly inCall?: boolean;
    }
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
  /** The connection broke; the phone comes back, or is closed. */
  readonly onLost: () => void;
  /** The phone is off, from either side. */
  readonly onClosed: () => void;
}

const READY_MS = 15_000;
/** A service with one process may have to start anew meanwhile. */
const RETURN_MS = 30_000;
/** At once: another process of the service may have the carrier. */
const RETRY_MS = [0, 100, 200, 300, 500, 1000] as const;
const MAX_UNSENT_BYTES = 96_000;
/** After these the service has no place for this phone any more. */
const FINAL: ReadonlySet<string> = new Set(['unknown-token', 'replaced', 'not-allowed']);

/** A phone at the built-in carrier; it can call and be called while it is on, and comes back when its socket breaks. */
export class HandsetSocket {
  readonly #url: URL;
  readonly #sampleRate: number;
  readonly #handlers: HandsetHandlers;
  #socket: WebSocket | undefined;
  #isReady = false;
  #resumeToken: string | undefined;
  #error: string | undefined;
  #lostAt = 0;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: URL, sampleRate: number, handlers: HandsetHandlers) {
    this.#url = url;
    this.#sampleRate = sampleRate;
    this.#handlers = handlers;
    this.#open(url);
  }

  sendAudio(pcm: ArrayBuffer): void {
    const socket = this.#isReady ? this.#socket : undefined;
    if (socket && socket.bufferedAmount < MAX_UNSENT_BYTES) socket.send(pcm);
  }

  send(request: HandsetRequest): void {
    if (this.#isReady) this.#socket?.send(JSON.stringify(request));
  }

  /** Switches the phone off. */
  close(): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isReady = false;
    socket?.close();
  }

  #open(url: URL): void {
    const socket = new WebSocket(url);
    this.#socket = socket;
    this.#error = undefined;
    socket.binaryType = 'arraybuffer';
    this.#timer = setTimeout(() => socket.close(), READY_MS);
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: 'start', sampleRate: this.#sampleRate }));
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      if (typeof data === 'string') this.#take(JSON.parse(data) as HandsetEvent);
      else this.#handlers.onAudio(data);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#closed();
    };
  }

  #take(event: HandsetEvent): void {
    if (event.type === 'ready') {
      clearTimeout(this.#timer);
      this.#isReady = true;
      this.#attempt = 0;
      this.#resumeToken = event.resumeToken;
    }
    if (event.type === 'error') {
      this.#error = event.code;
      // A process that cannot have the phone yet is no news: it tries again.
      if (this.#resumeToken !== undefined && !FINAL.has(event.code)) return;
    }
    this.#handlers.onEvent(event);
  }

  #closed(): void {
    clearTimeout(this.#timer);
    if (this.#isReady) {
      this.#isReady = false;
      this.#lostAt = performance.now();
      this.#handlers.onLost();
    }
    const isFinal = this.#error !== undefined && FINAL.has(this.#error);
    const token = this.#resumeToken;
    if (token === undefined || isFinal || performance.now() - this.#lostAt > RETURN_MS) {
      this.#socket = undefined;
      this.#handlers.onClosed();
      return;
    }
    const delay = RETRY_MS[Math.min(this.#attempt++, RETRY_MS.length - 1)];
    this.#timer = setTimeout(() => this.#open(new URL(`./${token}`, this.#url)), delay);
  }
}
