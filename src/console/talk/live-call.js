// @ts-check
import { AudioEngine } from './audio-engine.js';
import { TurnTimer } from './turn-timer.js';
import { WebCall } from './web-call.js';

/**
 * @typedef {'connecting' | 'live' | 'reconnecting' | 'ended'} CallPhase
 * @typedef {{ reason: string, error?: { code: string, message: string } }} CallEnd
 * @typedef {object} LiveCallHandlers
 * @property {(phase: CallPhase, end?: CallEnd) => void} onPhase
 * @property {(callId: string) => void} onCallId
 * @property {(line: { role: 'user' | 'assistant', text: string, final: boolean }) => void} onTranscript
 * @property {(state: { user: string, assistant: string }) => void} onState
 * @property {(levels: { user?: number, assistant?: number }) => void} onLevels in dB
 * @property {(latencyMs: number) => void} onAnswer
 * @property {() => void} onSilenced playback was cleared
 * @property {() => void} onSounded audio to play has come
 * @property {(error: { code: string, message: string }) => void} onError
 * @property {() => void} onMicrophoneLost
 */

/** One call of the page: the socket, the audio thread, and the ear between them. */
export class LiveCall {
  /** @type {AudioEngine} */ #engine;
  /** @type {WebCall} */ #call;
  /** @type {LiveCallHandlers} */ #handlers;

  /**
   * @param {AudioEngine} engine
   * @param {WebCall} call
   * @param {LiveCallHandlers} handlers
   */
  constructor(engine, call, handlers) {
    this.#engine = engine;
    this.#call = call;
    this.#handlers = handlers;
  }

  /**
   * Opens the microphone, then the call: nobody is kept waiting on a line without one.
   * @param {() => Promise<URL>} connect
   * @param {LiveCallHandlers} handlers
   */
  static async start(connect, handlers) {
    /** @type {WebCall | undefined} */ let call;
    const timer = new TurnTimer(handlers.onAnswer);
    const engine = await AudioEngine.open({
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
    });
    try {
      call = new WebCall(await connect(), engine.wireHz, socketHandlers(engine, handlers));
      return new LiveCall(engine, call, handlers);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  /** @param {boolean} muted */
  setMuted(muted) {
    this.#engine.setMuted(muted);
  }

  hangUp() {
    this.#engine.clear();
    this.#handlers.onSilenced();
    this.#call.hangUp();
  }
}

/**
 * @param {AudioEngine} engine
 * @param {LiveCallHandlers} handlers
 * @returns {import('./web-call.js').WebCallHandlers}
 */
function socketHandlers(engine, handlers) {
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
