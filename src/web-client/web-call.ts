import type { PlayoutStats } from './adaptive-playout.ts';
import { AudioEngine } from './audio-engine.ts';
import {
  type CallEnd,
  type CallFault,
  MediaSocket,
  type MediaSocketHandlers,
  type Said,
} from './media-socket.ts';

export type CallPhase = 'connecting' | 'live' | 'reconnecting' | 'ended';

/** Current level of one side in dBFS. */
export interface Level {
  readonly role: 'user' | 'assistant';
  readonly db: number;
  /** End of the measured audio, on the audio context's clock. */
  readonly atMs: number;
}

/** What happens in a call; each is optional. */
export interface WebCallHandlers {
  readonly onPhase?: (phase: CallPhase, end?: CallEnd) => void;
  readonly onCallId?: (callId: string) => void;
  readonly onTranscript?: (said: Said) => void;
  readonly onState?: (state: { readonly user: string; readonly assistant: string }) => void;
  readonly onStatus?: (status: string) => void;
  /** Called about fifty times a second for each side. */
  readonly onLevel?: (level: Level) => void;
  /** Playback was cleared. */
  readonly onSilenced?: () => void;
  /** Audio to play has arrived. */
  readonly onSounded?: () => void;
  /** Playout statistics since the start of the call; called twice a second. */
  readonly onStats?: (stats: PlayoutStats) => void;
  readonly onError?: (error: CallFault) => void;
  readonly onMicrophoneLost?: () => void;
}

export interface WebCallOptions {
  /** False for a caller who types. @defaultValue true */
  readonly microphone?: boolean;
}

/** A call with an assistant in a browser: microphone, loudspeaker and media socket. */
export class WebCall {
  readonly #engine: AudioEngine;
  readonly #socket: MediaSocket;
  readonly #handlers: WebCallHandlers;

  private constructor(engine: AudioEngine, socket: MediaSocket, handlers: WebCallHandlers) {
    this.#engine = engine;
    this.#socket = socket;
    this.#handlers = handlers;
  }

  /**
   * Opens the microphone before the call, so that no call starts without one. `connect` resolves with the URL of the
   * media socket; its errors and the browser's are passed on.
   */
  static async start(
    connect: () => Promise<URL | string>,
    handlers: WebCallHandlers = {},
    { microphone = true }: WebCallOptions = {},
  ): Promise<WebCall> {
    let socket: MediaSocket | undefined;
    const engine = await AudioEngine.open(
      {
        onCaptured: ({ pcm, db, atMs }) => {
          handlers.onLevel?.({ role: 'user', db, atMs });
          socket?.sendAudio(pcm);
        },
        onPlayback: (report) => {
          if (report.type === 'played') socket?.played(report.name);
          else if (report.type === 'cleared') socket?.cleared(Math.round(report.playedMs));
          else if (report.type === 'stats') {
            socket?.report(report.stats);
            handlers.onStats?.(report.stats);
          } else handlers.onLevel?.({ role: 'assistant', db: report.db, atMs: report.atMs });
        },
        onMicrophoneLost: () => handlers.onMicrophoneLost?.(),
      },
      { microphone },
    );
    try {
      const url = new URL(await connect());
      socket = new MediaSocket(url, engine.wireHz, socketHandlers(engine, handlers));
      return new WebCall(engine, socket, handlers);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  setMuted(muted: boolean): void {
    this.#engine.setMuted(muted);
  }

  /** Mutes or unmutes the assistant in this browser; the assistant goes on speaking. */
  setSound(on: boolean): void {
    this.#engine.setSound(on);
  }

  sendText(text: string): void {
    this.#socket.sendText(text);
  }

  pressKey(digit: string): void {
    this.#socket.pressKey(digit);
  }

  hangUp(): void {
    this.#engine.clear();
    this.#handlers.onSilenced?.();
    this.#socket.hangUp();
  }
}

function socketHandlers(engine: AudioEngine, handlers: WebCallHandlers): MediaSocketHandlers {
  return {
    onReady: (callId) => {
      handlers.onCallId?.(callId);
      handlers.onPhase?.('live');
    },
    onAudio: (pcm) => {
      handlers.onSounded?.();
      engine.play(pcm);
    },
    onMark: (name, ends) => engine.mark(name, ends),
    onClear: () => {
      engine.clear();
      handlers.onSilenced?.();
    },
    onTranscript: (said) => handlers.onTranscript?.(said),
    onState: (state) => handlers.onState?.(state),
    onStatus: (status) => handlers.onStatus?.(status),
    onError: (error) => handlers.onError?.(error),
    onLost: (moves) => {
      // The service sends unplayed audio again after the resume.
      if (!moves) engine.clear();
      handlers.onPhase?.('reconnecting');
    },
    onReturn: () => engine.recount(),
    onEnded: (end) => {
      void engine.close();
      handlers.onPhase?.('ended', end);
    },
  };
}
