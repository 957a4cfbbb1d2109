import type { JournalLine } from './journal.ts';

interface Planned {
  readonly uttId: number;
  readonly text: string;
  cancelledAt?: number;
}

/**
 * Text that the assistant was going to speak, from the journal: the model's output and the utterances in progress. When
 * playback is cleared, this gives the text that nobody heard.
 */
export class SpokenPlan {
  /** Utterances not yet played to the end, in order. */
  #utterances: Planned[] = [];
  /** Model output of each generation that has not been sent to synthesis yet. */
  readonly #pieces = new Map<number, readonly string[]>();
  #spokenGen: number | undefined;
  /** Utterances that were in progress when playback was cleared. */
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

  /** Texts that would have followed this utterance if playback had not been cleared. */
  droppedAfter(uttId: number): readonly string[] {
    const waiting = this.#dropped.filter((each) => each.uttId > uttId);
    return [...waiting.map(({ text }) => text), ...this.#unspoken];
  }

  // The far end acknowledges a clear later, when the next reply may already be in progress.
  #drop(at: number): void {
    // Utterances cancelled earlier were drafts; those cancelled at this moment belong to the cleared reply.
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
