// @ts-check
const READY_MS = 15_000;
/** How long the service keeps a lost call open. */
const RESUME_MS = 15_000;
const RETRY_MS = [200, 500, 1000, 2000];
/** Audio that waits to be sent beyond this is late already: it is not sent. */
const MAX_UNSENT_BYTES = 96_000;

/**
 * @typedef {object} WebCallHandlers
 * @property {(callId: string) => void} onReady also after each resume
 * @property {(pcm: ArrayBuffer) => void} onAudio
 * @property {(name: string) => void} onMark
 * @property {() => void} onClear
 * @property {(line: { role: 'user' | 'assistant', text: string, final: boolean }) => void} onTranscript
 * @property {(state: { user: string, assistant: string }) => void} onState
 * @property {(error: { code: string, message: string }) => void} onError
 * @property {() => void} onLost the connection broke and is being restored
 * @property {(end: { reason: string, error?: { code: string, message: string } }) => void} onEnded
 */

/** One call over the media socket; comes back by itself when the connection breaks. */
export class WebCall {
  /** @type {URL} */ #url;
  /** @type {number} */ #sampleRate;
  /** @type {WebCallHandlers} */ #handlers;
  /** @type {WebSocket | undefined} */ #socket;
  /** @type {string | undefined} */ #resumeToken;
  /** @type {{ code: string, message: string } | undefined} */ #error;
  #isReady = false;
  #isOver = false;
  #hungUp = false;
  #lostAt = 0;
  #attempt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /**
   * @param {URL} url
   * @param {number} sampleRate
   * @param {WebCallHandlers} handlers
   */
  constructor(url, sampleRate, handlers) {
    this.#url = url;
    this.#sampleRate = sampleRate;
    this.#handlers = handlers;
    this.#open(url);
  }

  /** @param {ArrayBuffer} pcm */
  sendAudio(pcm) {
    const socket = this.#socket;
    if (this.#isReady && socket && socket.bufferedAmount < MAX_UNSENT_BYTES) socket.send(pcm);
  }

  /** @param {string} mark */
  played(mark) {
    this.#send({ type: 'played', mark });
  }

  /** @param {number} playedMs */
  cleared(playedMs) {
    this.#send({ type: 'cleared', playedMs });
  }

  hangUp() {
    this.#hungUp = true;
    if (!this.#isReady) {
      this.#end('hangup');
      return;
    }
    this.#send({ type: 'hangup' });
    // The service closes; should it not, the caller is gone all the same.
    this.#timer = setTimeout(() => this.#end('hangup'), 3000);
  }

  /** @param {URL} url */
  #open(url) {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#error = undefined;
    this.#timer = setTimeout(() => socket.close(), READY_MS);
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: 'start', sampleRate: this.#sampleRate }));
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      if (typeof data === 'string') this.#handle(JSON.parse(data));
      else this.#handlers.onAudio(data);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#closed();
    };
  }

  /** @param {any} frame */
  #handle(frame) {
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
      case 'error':
        this.#error = { code: frame.code, message: frame.message };
        if (this.#isReady) handlers.onError(this.#error);
        break;
      case 'ended':
        this.#end(frame.reason);
        break;
    }
  }

  #closed() {
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

  /** @param {string} token */
  #retry(token) {
    const delay = RETRY_MS[Math.min(this.#attempt++, RETRY_MS.length - 1)];
    this.#timer = setTimeout(() => this.#open(new URL(`./${token}`, this.#url)), delay);
  }

  /** @param {string} reason */
  #end(reason) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isReady = false;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#handlers.onEnded({ reason, ...(this.#error ? { error: this.#error } : {}) });
  }

  /** @param {object} frame */
  #send(frame) {
    if (this.#isReady) this.#socket?.send(JSON.stringify(frame));
  }
}
