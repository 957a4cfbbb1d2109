import type { JournalLine } from './journal.ts';

/** A word spoken by the assistant, with its time. */
export interface SpokenWord {
  readonly text: string;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Utterance {
  startedAt?: number;
  readonly words: SpokenWord[];
  /** Positions at which playback was held, and for how long. */
  readonly holds: { readonly playedMs: number; readonly durationMs: number }[];
}

/** Times of the words of the assistant's utterances on the call's timeline. */
export class SpokenWords {
  readonly #utterances = new Map<number, Utterance>();
  #held: { readonly uttId: number; readonly playedMs: number; readonly at: number } | undefined;

  add(line: JournalLine): void {
    switch (line.type) {
      case 'tts.words':
        for (const { word, startMs, endMs } of line.data.words) {
          this.#of(line.data.uttId).words.push({ text: word, fromMs: startMs, toMs: endMs });
        }
        break;
      case 'play.started':
        this.#of(line.data.uttId).startedAt = line.at;
        break;
      case 'play.held':
        this.#held = { ...line.data, at: line.at };
        break;
      case 'play.release':
        this.#release(line.at);
        break;
      default:
    }
  }

  /** Words of an utterance that has started to play. */
  wordsOf(uttId: number): readonly SpokenWord[] {
    const utterance = this.#utterances.get(uttId);
    const startedAt = utterance?.startedAt;
    if (!utterance || startedAt === undefined) return [];
    return utterance.words.map(({ text, fromMs, toMs }) => {
      const heldMs = utterance.holds
        .filter(({ playedMs }) => fromMs >= playedMs)
        .reduce((sum, { durationMs }) => sum + durationMs, 0);
      const from = startedAt + heldMs;
      return { text, fromMs: from + fromMs, toMs: from + toMs };
    });
  }

  #release(at: number): void {
    if (!this.#held) return;
    const { uttId, playedMs, at: heldAt } = this.#held;
    this.#of(uttId).holds.push({ playedMs, durationMs: at - heldAt });
    this.#held = undefined;
  }

  #of(uttId: number): Utterance {
    const known = this.#utterances.get(uttId) ?? { words: [], holds: [] };
    this.#utterances.set(uttId, known);
    return known;
  }
}
