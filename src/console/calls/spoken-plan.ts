import type { JournalLine } from './journal.ts';

interface Planned {
  readonly uttId: number;
  readonly text: string;
  cancelledAt?: number;
}

/**
 * What the assistant means to say, from the log: pieces of the model's answer and utterances under way. When it is
 * silenced, this is what nobody heard.
 */
export class SpokenPlan {
  /** Not yet played to their end, in their order. */
  #utterances: Planned[] = [];
  /** Of each generation, what no voice was asked for yet. */
  readonly #pieces = new Map<number, readonly string[]>();
  #spokenGen: number | undefined;
  /** What was under way when it was silenced. */
  #dropped: readonly Planned[] = [];
  #unspoken: readonly string[] = [];

  add(line: JournalLine): void {
    switch (line.type) {
      case 'llm.text': {
        const { genId, text } = line.data;
        this.#pieces.set(genId, [...(this.#pieces.get(genId) ?? []), text]);
        break;
      }
      case 'llm.cancel':
        if (line.data.genId !== this.#spokenGen) this.#pieces.delete(line.data.genId);
        break;
      case 'tts.start':
        this.#utterances.push({ uttId: line.data.uttId, text: line.data.text });
        this.#takePiece(line.data.text);
        break;
      case 'tts.cancel':
        for (const each of this.#utterances) {
          if (each.uttId === line.data.uttId) each.cancelledAt = line.at;
        }
        break;
      case 'play.finished':
        this.#utterances = this.#utterances.filter(({ uttId }) => uttId !== line.data.uttId);
        break;
      case 'play.clear':
        this.#drop(line.at);
        break;
      default:
    }
  }

  textOf(uttId: number): string {
    return this.#utterances.find((each) => each.uttId === uttId)?.text ?? '';
  }

  /** What would have come after this utterance, had the assistant not been silenced. */
  droppedAfter(uttId: number): readonly string[] {
    const waiting = this.#dropped.filter((each) => each.uttId > uttId);
    return [...waiting.map(({ text }) => text), ...this.#unspoken];
  }

  // Who hears it answers later; by then the next reply may be under way.
  #drop(at: number): void {
    // Given up in the same moment, before the silence or after it; what was given up earlier was a draft.
    this.#dropped = this.#utterances.filter(({ cancelledAt = at }) => cancelledAt >= at);
    this.#unspoken = (this.#spokenGen !== undefined && this.#pieces.get(this.#spokenGen)) || [];
    this.#utterances = [];
    if (this.#spokenGen !== undefined) this.#pieces.delete(this.#spokenGen);
    this.#spokenGen = undefined;
  }

  #takePiece(text: string): void {
    for (const [genId, pieces] of this.#pieces) {
      const at = pieces.indexOf(text);
      if (at < 0) continue;
      this.#spokenGen = genId;
      this.#pieces.set(genId, pieces.slice(at + 1));
      return;
    }
  }
}
