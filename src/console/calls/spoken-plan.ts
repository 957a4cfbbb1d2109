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
  readonly #pieces = new Map<number, string[]>();
  #spokenGen: number | undefined;

  add(line: JournalLine): void {
    switch (line.type) {
      case 'llm.text':
        this.#pieces.set(line.data.genId, [
          ...(this.#pieces.get(line.data.genId) ?? []),
          line.data.text,
        ]);
        break;
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
      default:
    }
  }

  textOf(uttId: number): string {
    return this.#utterances.find((each) => each.uttId === uttId)?.text ?? '';
  }

  /** What would have come after this utterance; it is dropped at this instant. */
  dropAfter(uttId: number, at: number): readonly string[] {
    const waiting = this.#utterances.filter(
      (each) =>
        each.uttId > uttId && (each.cancelledAt === undefined || each.cancelledAt >= at - 5),
    );
    const unspoken = this.#spokenGen === undefined ? [] : this.#pieces.get(this.#spokenGen);
    this.#utterances = [];
    if (this.#spokenGen !== undefined) this.#pieces.delete(this.#spokenGen);
    return [...waiting.map(({ text }) => text), ...(unspoken ?? [])];
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
