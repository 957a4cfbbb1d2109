import type { CallCommand } from '../engine/machine/commands.ts';
import type { MediaLeg } from '../ports/media.ts';
import type { UtteranceBuffer } from './outbound/utterance-buffer.ts';
import type { SessionParts } from './session-parts.ts';

/** Has the parts of a call do what the machine says of model, voice, playout and tools. */
export class Conductor {
  readonly #parts: SessionParts;
  readonly #leg: MediaLeg;
  /** In the voice, and not yet handed to playout. */
  readonly #utterances = new Map<number, UtteranceBuffer>();
  #closed = false;

  constructor(parts: SessionParts, leg: MediaLeg) {
    this.#parts = parts;
    this.#leg = leg;
  }

  /** False: the command is for somebody else. */
  carryOut(command: CallCommand): boolean {
    const { responder, voice, playout, volume, tools, judge, murmurs, sounds } = this.#parts;
    switch (command.type) {
      case 'llm.start':
        responder.start(command);
        return true;
      case 'llm.cancel':
        responder.cancel(command.genId);
        return true;
      case 'llm.adopt':
        responder.adopt(command.genId);
        return true;
      case 'tts.start':
        this.#utterances.set(command.uttId, voice.start(command.uttId, command.text));
        return true;
      case 'tts.cancel':
        this.#utterances.delete(command.uttId);
        voice.cancel(command.uttId);
        return true;
      case 'play.start':
        this.#play(command.uttId);
        return true;
      case 'play.hold':
        playout.hold();
        return true;
      case 'play.release':
        playout.release();
        return true;
      case 'play.volume':
        volume.set(command.gainDb);
        return true;
      case 'play.clear':
        playout.clear();
        return true;
      case 'play.backchannel':
        murmurs?.play(command.text);
        return true;
      case 'hold.music':
        sounds?.hold(command);
        return true;
      case 'leg.dtmf':
        if (command.legId !== undefined) return false;
        this.#leg.sendDtmf?.(command.digits);
        return true;
      case 'tool.invoke':
        tools.invoke(command.toolCallId, command.name, command.arguments);
        return true;
      case 'tool.cancel':
        tools.cancel(command.toolCallId);
        return true;
      case 'predict':
        judge?.ask(command);
        return true;
      default:
        return false;
    }
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const { listener, responder, voice, murmurs, tools, judge, playout, sounds } = this.#parts;
    sounds?.close();
    listener.close();
    responder.close();
    voice.close();
    murmurs?.close();
    tools.close();
    judge?.close();
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
