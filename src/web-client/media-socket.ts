import type { PlayoutStats } from './adaptive-playout.ts';
import { HeldAudio } from './held-audio.ts';

const READY_MS = 15_000;
/** How long the service keeps a call open after the connection is lost. */
const RESUME_MS = 15_000;
/** The process of the call is replaced by another one. */
const MOVED = 1012;
/** Time for the service to close the socket after a hangup; then the client ends the call itself. */
const HANGUP_MS = 3000;
/** At once: another process of the service may have the call. */
const RETRY_MS = [0, 100, 200, 300, 500, 1000, 2000] as const;
/** Unsent audio allowed when the service does not say how much it accepts at once. */
const UNSENT_MS = 2000;

export interface Said {
  readonly role: 'user' | 'assistant';
  /** Empty if the interim text turned out to be no speech. */
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

export interface MediaSocketHandlers {
  /** Called after each resume too. */
  readonly onReady: (callId: string) => void;
  readonly onAudio: (pcm: ArrayBuffer) => void;
  /** `ends`: speech pauses or ends there. */
  readonly onMark: (name: string, ends: boolean) => void;
  readonly onClear: () => void;
  readonly onTranscript: (said: Said) => void;
  readonly onState: (state: { readonly user: string; readonly assistant: string }) => void;
  readonly onStatus: (status: string) => void;
  readonly onError: (error: CallFault) => void;
  /** The connection broke and is being resumed. `moves`: another process goes on where this one's audio ends. */
  readonly onLost: (moves: boolean) => void;
  /** The connection is there again: what is still to be played, ms. Positions in `cleared` count from there. */
  readonly onReturn: () => Promise<number>;
  readonly onEnded: (end: CallEnd) => void;
}

interface Ready {
  readonly type: 'ready';
  readonly callId: string;
  readonly resumeToken: string;
  /** Undefined if the service does not accept `stats`. */
  readonly statsEveryMs?: number;
  /** Audio that may be sent at once after a resume; undefined if the service accepts none. */
  readonly heldAudioMs?: number;
  /** After a resume: how much of the caller's audio the service has received in this call. */
  readonly receivedMs?: number;
}

type ServerFrame =
  | Ready
  | { readonly type: 'mark'; readonly mark: string; readonly end?: boolean }
  | { readonly type: 'clear' }
  | ({ readonly type: 'transcript' } & Said)
  | { readonly type: 'state'; readonly user: string; readonly assistant: string }
  | { readonly type: 'status'; readonly status: string }
  | ({ readonly type: 'error' } & CallFault)
  | { readonly type: 'ended'; readonly reason: string };

/** One call over the media socket; resumes automatically when the connection breaks. */
export class MediaSocket {
  readonly #url: URL;
  readonly #sampleRate: number;
  readonly #handlers: MediaSocketHandlers;
  #socket: WebSocket | undefined;
  #resumeToken: string | undefined;
  #error: CallFault | undefined;
  #isReady = false;
  #isOver = false;
  #hungUp = false;
  #lostAt = 0;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #held: HeldAudio | undefined;
  #maxUnsentBytes: number;
  #statsEveryMs = Number.POSITIVE_INFINITY;
  #statsAt = 0;
  #stats: PlayoutStats | undefined;

  constructor(url: URL, sampleRate: number, handlers: MediaSocketHandlers) {
    this.#url = url;
    this.#sampleRate = sampleRate;
    this.#handlers = handlers;
    this.#maxUnsentBytes = this.#bytes(UNSENT_MS);
    this.#open(url);
  }

  /** Sends the caller's audio; while the connection is down, keeps it for the resume. */
  sendAudio(pcm: ArrayBuffer): void {
    const socket = this.#isReady ? this.#socket : undefined;
    if (socket && socket.bufferedAmount >= this.#maxUnsentBytes) return;
    this.#held?.push(pcm);
    socket?.send(pcm);
  }

  /** Sends what the caller typed. */
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

  /** Sends playout statistics to the service at the interval it asked for, and once more before hanging up. */
  report(stats: PlayoutStats): void {
    this.#stats = stats;
    const now = performance.now();
    if (now >= this.#statsAt) this.#sendStats(now);
  }

  hangUp(): void {
    this.#hungUp = true;
    if (!this.#isReady) {
      this.#end('hangup');
      return;
    }
    this.#sendStats(performance.now());
    this.#send({ type: 'hangup' });
    this.#timer = setTimeout(() => this.#end('hangup'), HANGUP_MS);
  }

  #open(url: URL): void {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#error = undefined;
    this.#timer = setTimeout(() => socket.close(), READY_MS);
    socket.onopen = () => void this.#start(socket);
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      if (typeof data === 'string') this.#handle(JSON.parse(data) as ServerFrame);
      else this.#handlers.onAudio(data);
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#closed(code === MOVED);
    };
  }

  async #start(socket: WebSocket): Promise<void> {
    const bufferedMs = this.#resumeToken === undefined ? 0 : await this.#handlers.onReturn();
    socket.send(JSON.stringify({ type: 'start', sampleRate: this.#sampleRate, bufferedMs }));
  }

  #handle(frame: ServerFrame): void {
    const handlers = this.#handlers;
    switch (frame.type) {
      case 'ready':
        this.#ready(frame);
        break;
      case 'mark':
        handlers.onMark(frame.mark, frame.end === true);
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

  #ready({ callId, resumeToken, statsEveryMs, heldAudioMs, receivedMs }: Ready): void {
    clearTimeout(this.#timer);
    this.#resumeToken = resumeToken;
    this.#isReady = true;
    this.#attempt = 0;
    if (statsEveryMs !== undefined) this.#statsEveryMs = statsEveryMs;
    if (heldAudioMs !== undefined) {
      this.#maxUnsentBytes = this.#bytes(heldAudioMs);
      // If the service does not say what it has received, positions start from zero again.
      if (!this.#held || receivedMs === undefined)
        this.#held = new HeldAudio(this.#sampleRate, heldAudioMs);
      else for (const frame of this.#held.resume(receivedMs)) this.#socket?.send(frame);
    }
    this.#handlers.onReady(callId);
  }

  #closed(moves: boolean): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    if (this.#isReady) {
      this.#isReady = false;
      this.#lostAt = performance.now();
      if (!this.#hungUp) this.#handlers.onLost(moves && !this.#error);
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

  #sendStats(now: number): void {
    if (!this.#stats || !this.#isReady || this.#statsEveryMs === Number.POSITIVE_INFINITY) return;
    this.#statsAt = now + this.#statsEveryMs;
    this.#send({ type: 'stats', ...this.#stats });
  }

  #send(frame: Readonly<Record<string, unknown>>): void {
    if (this.#isReady) this.#socket?.send(JSON.stringify(frame));
  }

  #bytes(ms: number): number {
    return (ms * this.#sampleRate * 2) / 1000;
  }
}
