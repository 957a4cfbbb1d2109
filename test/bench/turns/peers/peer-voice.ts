import type { CallCommand } from '../../../../src/engine/machine/commands.ts';
import type { CallEvent } from '../../../../src/engine/machine/events.ts';

interface Piece {
  readonly uttId: number;
  readonly text: string;
  state: 'voicing' | 'ready' | 'sent' | 'done';
}

/** The reply of a peer on its way to the ear: model, voice and playout in order. */
export class PeerVoice {
  readonly #emit: (command: CallCommand) => void;
  #pieces: Piece[] = [];
  #genId: number | undefined;
  #modelDone = false;
  #utterances = 0;
  #last = '';
  /** Audio may not start before. */
  notBefore = 0;
  /** Sound of the caller holds it back or has paused it. */
  paused = false;

  constructor(emit: (command: CallCommand) => void) {
    this.#emit = emit;
  }

  /** A reply is under way. */
  get busy(): boolean {
    return this.#pieces.length > 0 || this.#genId !== undefined;
  }

  get sounding(): boolean {
    return this.#pieces.some(({ state }) => state === 'sent' || state === 'done');
  }

  get heard(): string {
    return this.#pieces
      .filter(({ state }) => state === 'sent' || state === 'done')
      .map(({ text }) => text)
      .join(' ');
  }

  /** Of this reply, or of the one before while nothing of this one has sounded. */
  get lastHeard(): string {
    return this.heard || this.#last;
  }

  /** A line without a model. */
  line(text: string): void {
    this.#say(text);
    this.#modelDone = true;
  }

  generation(genId: number, given: readonly string[], done: boolean): void {
    this.#genId = genId;
    this.#modelDone = done;
    for (const text of given) this.#say(text);
  }

  take(event: CallEvent): void {
    switch (event.type) {
      case 'llm.text':
        if (event.genId === this.#genId) this.#say(event.text);
        break;
      case 'llm.done':
      case 'llm.error':
        if (event.genId === this.#genId) this.#modelDone = true;
        break;
      case 'tts.audio':
        this.#mark(event.uttId, 'ready');
        break;
      case 'play.finished':
        this.#mark(event.uttId, 'done');
        break;
    }
  }

  /** Sends what may be sent; tells whether the reply is over. */
  pump(now: number): boolean {
    for (const piece of this.#pieces) {
      if (piece.state === 'voicing') break;
      if (piece.state !== 'ready' || this.paused || now < this.notBefore) continue;
      piece.state = 'sent';
      this.#emit({ type: 'play.start', uttId: piece.uttId });
    }
    const over =
      this.busy && this.#modelDone && this.#pieces.every(({ state }) => state === 'done');
    return over;
  }

  /** Drops all of it, heard or not. */
  reset(cancel: boolean): void {
    if (cancel) {
      if (this.#genId !== undefined) this.#emit({ type: 'llm.cancel', genId: this.#genId });
      for (const { uttId } of this.#pieces) this.#emit({ type: 'tts.cancel', uttId });
      if (this.sounding) this.#emit({ type: 'play.clear' });
    }
    this.#last = this.lastHeard;
    this.#pieces = [];
    this.#genId = undefined;
    this.#modelDone = false;
    this.paused = false;
  }

  #say(text: string): void {
    const uttId = ++this.#utterances;
    this.#pieces.push({ uttId, text, state: 'voicing' });
    this.#emit({ type: 'tts.start', uttId, text, cache: false });
  }

  #mark(uttId: number, state: Piece['state']): void {
    const piece = this.#pieces.find((each) => each.uttId === uttId);
    if (piece) piece.state = state;
  }
}
