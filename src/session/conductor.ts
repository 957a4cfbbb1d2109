import { loopRecorder } from '../lib/loop-recorder.ts';
import type { PartsCommand } from './command-owners.ts';
import type { UtteranceBuffer } from './outbound/utterance-buffer.ts';
import type { SessionParts } from './session-parts.ts';

/** Carries out the machine's commands for model, voice, playout, tools and turn predictor. */
export class Conductor {
  readonly #parts: SessionParts;
  /** By utterance id: synthesis was started, playout was not. */
  readonly #utterances = new Map<number, UtteranceBuffer>();
  #closed = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  carryOut(command: PartsCommand): void {
    const { listener, responder, voice, playout, volume, tools, predictor, backchannels, sounds } =
      this.#parts;
    switch (command.type) {
      case 'llm.start':
        loopRecorder.hold('reply-start', () => responder.start(command));
        return;
      case 'llm.cancel':
        responder.cancel(command.genId);
        return;
      case 'llm.adopt':
        responder.adopt(command.genId);
        return;
      case 'stt.voice':
        listener.voice(command.voiced);
        return;
      case 'stt.flush':
        listener.flush();
        return;
      case 'tts.start':
        this.#utterances.set(command.uttId, voice.start(command.uttId, command.text));
        return;
      case 'tts.cancel':
        this.#utterances.delete(command.uttId);
        voice.cancel(command.uttId, command.stalled);
        return;
      case 'play.start':
        predictor?.replyStarts();
        this.#play(command.uttId);
        return;
      case 'play.hold':
        playout.hold();
        return;
      case 'play.release':
        playout.release();
        return;
      case 'play.volume':
        volume.set(command.gainDb);
        return;
      case 'play.clear':
        playout.clear();
        return;
      case 'play.backchannel':
        backchannels?.play(command.text);
        return;
      case 'hold.music':
        sounds?.hold(command);
        return;
      case 'tool.invoke':
        tools.invoke(command.toolCallId, command.name, command.arguments);
        return;
      case 'tool.cancel':
        tools.cancel(command.toolCallId);
        return;
      case 'predict':
        predictor?.ask(command);
        return;
      default:
        command satisfies never;
    }
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const { listener, responder, voice, backchannels, tools, predictor, playout, sounds } =
      this.#parts;
    sounds?.close();
    listener.close();
    responder.close();
    voice.close();
    backchannels?.close();
    tools.close();
    predictor?.close();
    playout.close();
    this.#utterances.clear();
  }

  // Playout owns the buffer from here on.
  #play(uttId: number): void {
    const utterance = this.#utterances.get(uttId);
    this.#utterances.delete(uttId);
    if (utterance) this.#parts.playout.start(utterance);
  }
}
