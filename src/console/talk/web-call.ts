const READY_MS = 15_000;
/** How long the service keeps a lost call open. */
const RESUME_MS = 15_000;
/** Should the service not close after a hangup, the caller is gone all the same. */
const HANGUP_MS = 3000;
const RETRY_MS = [200, 500, 1000, 2000] as const;
/** Audio that waits to be sent beyond this is late already: it is not sent. */
const MAX_UNSENT_BYTES = 96_000;

export interface Said {
  readonly role: 'user' | 'assistant';
  /** Empty: what was shown was nothing after all. */
  readonly text: string;
  readonly final: boolean;
}

export interface CallFault {
  readonly code: string;
  readonly message: string;
}

export interface CallEnd {
  readonly reason: string;
  readonly error?: CallFault;
}

export interface WebCallHandlers {
  /** Also after each resume. */
  readonly onReady: (callId: string) => void;
  readonly onAudio: (pcm: ArrayBuffer) => void;
  readonly onMark: (name: string) => void;
  readonly onClear: () => void;
  readonly onTranscript: (said: Said) => void;
  readonly onState: (state: { readonly user: string; readonly assistant: string }) => void;
  readonly onStatus: (status: string) => void;
  readonly onError: (error: CallFault) => void;
  /** The connection broke and is being restored. */
  readonly onLost: () => void;
  readonly onEnded: (end: CallEnd) => void;
}

type ServerFrame =
  | { readonly type: 'ready'; readonly callId: string; readonly resumeToken: string }
  | { readonly type: 'mark'; readonly mark: string }
  | { readonly type: 'clear' }
  | ({ readonly type: 'transcript' } & Said)
  | { readonly type: 'state'; readonly user: string; readonly assistant: string }
  | { readonly type: 'status'; readonly status: string }
  | ({ readonly type: 'error' } & CallFault)
  | { readonly type: 'ended'; readonly reason: string };

/** One call over the media socket; comes back by itself when the connection breaks. */
export class WebCall {
  readonly #url: URL;
  readonly #sampleRate: number;
  readonly #handlers: WebCallHandlers;
  #socket: WebSocket | undefined;
  #resumeToken: string | undefined;
  #error: CallFault | undefined;
  #isReady = false;
  #isOver = false;
  #hungUp = false;
  #lostAt = 0;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: URL, sampleRate: number, handlers: WebCallHandlers) {
    this.#url = url;
    this.#sampleRate = sampleRate;
    this.#handlers = handlers;
    this.#open(url);
  }

  sendAudio(pcm: ArrayBuffer): void {
    const socket = this.#socket;
    if (this.#isReady && socket && socket.bufferedAmount < MAX_UNSENT_BYTES) socket.send(pcm);
  }

  /** Says something in writing. */
  sendText(text: string): void {
    this.#send({ type: 'text', text });
  }

  pressKey(digit: string): void {
    this.#send({ type: 'dtmf', digit });
  }

  played(mark: string): void {
    this.#send({ type: 'played', mark });
  }

  cleared(playedMs: number): void {
    this.#send({ type: 'cleared', playedMs });
  }

  hangUp(): void {
    this.#hungUp = true;
    if (!this.#isReady) {
      this.#end('hangup');
      return;
    }
    this.#send({ type: 'hangup' });
    this.#timer = setTimeout(() => this.#end('hangup'), HANGUP_MS);
  }

  #open(url: URL): void {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#error = undefined;
    this.#timer = setTimeout(() => socket.close(), READY_MS);
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: 'start', sampleRate: this.#sampleRate }));
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      if (typeof data === 'string') this.#handle(JSON.parse(data) as ServerFrame);
      else this.#handlers.onAudio(data);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#closed();
    };
  }

  #handle(frame: ServerFrame): void {
    const handlers = this.#handlers;
    switch (frame.type) {
      case 'ready':
        clearTimeout(this.#timer);
        this.#resumeToken = frame.resumeToken;
        this.#isReady = true;
        this.#attempt = 0;
        handlers.onReady(frame.callId);
        break;
      case 'mark':
        handlers.onMark(frame.mark);
        break;
      case 'clear':
        handlers.onClear();
        break;
      case 'transcript':
        handlers.onTranscript(frame);
        break;
      case 'state':
        handlers.onState(frame);
        break;
      case 'status':
        handlers.onStatus(frame.status);
        break;
      case 'error':
        this.#error = { code: frame.code, message: frame.message };
        if (this.#isReady) handlers.onError(this.#error);
        break;
      case 'ended':
        this.#end(frame.reason);
        break;
    }
  }

  #closed(): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    if (this.#isReady) {
      this.#isReady = false;
      this.#lostAt = performance.now();
      if (!this.#hungUp) this.#handlers.onLost();
    }
    const elapsed = performance.now() - this.#lostAt;
    const refused = this.#error?.code === 'unknown-token';
    if (this.#hungUp) this.#end('hangup');
    else if (!this.#resumeToken) this.#end('not-answered');
    else if (refused || elapsed > RESUME_MS) this.#end('connection-lost');
    else this.#retry(this.#resumeToken);
  }

  #retry(token: string): void {
    const delay = RETRY_MS[Math.min(this.#attempt++, RETRY_MS.length - 1)];
    this.#timer = setTimeout(() => this.#open(new URL(`./${token}`, this.#url)), delay);
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isReady = false;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#handlers.onEnded({ reason, ...(this.#error ? { error: this.#error } : {}) });
  }

  #send(frame: Readonly<Record<string, unknown>>): void {
    if (this.#isReady) this.#socket?.send(JSON.stringify(frame));
  }
}
