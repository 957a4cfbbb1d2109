import { AudioEngine } from './audio-engine.ts';
import { TurnTimer } from './turn-timer.js';
import {
  type CallEnd,
  type CallFault,
  type Said,
  WebCall,
  type WebCallHandlers,
} from './web-call.ts';

export type CallPhase = 'connecting' | 'live' | 'reconnecting' | 'ended';

export interface LiveCallHandlers {
  readonly onPhase: (phase: CallPhase, end?: CallEnd) => void;
  readonly onCallId: (callId: string) => void;
  readonly onTranscript: (said: Said) => void;
  readonly onState: (state: { readonly user: string; readonly assistant: string }) => void;
  readonly onStatus: (status: string) => void;
  /** In dB. */
  readonly onLevels: (levels: { readonly user?: number; readonly assistant?: number }) => void;
  readonly onAnswer: (latencyMs: number) => void;
  /** Playback was cleared. */
  readonly onSilenced: () => void;
  /** Audio to play has come. */
  readonly onSounded: () => void;
  readonly onError: (error: CallFault) => void;
  readonly onMicrophoneLost: () => void;
}

interface LiveCallOptions {
  /** Without one, the caller types. */
  readonly microphone: boolean;
}

/** One call of the page: the socket, the audio thread, and the ear between them. */
export class LiveCall {
  readonly #engine: AudioEngine;
  readonly #call: WebCall;
  readonly #handlers: LiveCallHandlers;

  private constructor(engine: AudioEngine, call: WebCall, handlers: LiveCallHandlers) {
    this.#engine = engine;
    this.#call = call;
    this.#handlers = handlers;
  }

  /** Opens the microphone, then the call: nobody is kept waiting on a line without one. */
  static async start(
    connect: () => Promise<URL>,
    handlers: LiveCallHandlers,
    { microphone }: LiveCallOptions,
  ): Promise<LiveCall> {
    let call: WebCall | undefined;
    const timer = new TurnTimer(handlers.onAnswer);
    const engine = await AudioEngine.open(
      {
        onCaptured: ({ pcm, db, atMs }) => {
          timer.heardCaller(db, atMs);
          handlers.onLevels({ user: db });
          call?.sendAudio(pcm);
        },
        onPlayback: (report) => {
          if (report.type === 'played') call?.played(report.name);
          else if (report.type === 'cleared') call?.cleared(Math.round(report.playedMs));
          else {
            timer.heardAssistant(report.db, report.atMs);
            handlers.onLevels({ assistant: report.db });
          }
        },
        onMicrophoneLost: handlers.onMicrophoneLost,
      },
      { microphone },
    );
    try {
      call = new WebCall(await connect(), engine.wireHz, socketHandlers(engine, handlers));
      return new LiveCall(engine, call, handlers);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  setMuted(muted: boolean): void {
    this.#engine.setMuted(muted);
  }

  /** Whether the assistant is audible here; it goes on speaking either way. */
  setSound(on: boolean): void {
    this.#engine.setSound(on);
  }

  sendText(text: string): void {
    this.#call.sendText(text);
  }

  pressKey(digit: string): void {
    this.#call.pressKey(digit);
  }

  hangUp(): void {
    this.#engine.clear();
    this.#handlers.onSilenced();
    this.#call.hangUp();
  }
}

function socketHandlers(engine: AudioEngine, handlers: LiveCallHandlers): WebCallHandlers {
  return {
    onReady: (callId) => {
      handlers.onCallId(callId);
      handlers.onPhase('live');
    },
    onAudio: (pcm) => {
      handlers.onSounded();
      engine.play(pcm);
    },
    onMark: (name) => engine.mark(name),
    onClear: () => {
      engine.clear();
      handlers.onSilenced();
    },
    onTranscript: handlers.onTranscript,
    onState: handlers.onState,
    onStatus: handlers.onStatus,
    onError: handlers.onError,
    onLost: () => {
      // What was not played comes again when the call is back.
      engine.clear();
      handlers.onPhase('reconnecting');
    },
    onEnded: (end) => {
      void engine.close();
      handlers.onPhase('ended', end);
    },
  };
}
