import type { JournalLine } from '../../ports/journal.ts';
import type { PlayoutState } from '../playout.ts';

/** Assistant sound at the caller's ear, without a pause in it. Instants are ms since the call was created. */
export interface AssistantSpan {
  readonly from: number;
  to: number;
}

/** A silence of the assistant that a caller takes for more than a pause. */
export const PAUSE_MS = 1000;

/** Follows a journal: what plays, waits and is held, and when the caller heard the assistant. */
export class RecordedPlayout {
  readonly spans: AssistantSpan[] = [];
  /** Utterances that were played to their end. */
  readonly finished = new Set<number>();
  #queue: number[] = [];
  #playing: { uttId: number; playedMs: number; sinceAt: number } | undefined;
  #held = false;
  /** The acknowledgement that the last command still lacks. */
  #awaits: 'play.held' | 'play.cleared' | undefined;
  #soundsSince: number | undefined;

  take({ kind, type, at, data }: JournalLine): void {
    if (kind === 'command') this.#obey(type, at, data);
    else if (kind === 'event') this.#told(type, at, data);
  }

  /** As it stands now; what was ordered to be cleared counts as cleared. */
  state(): PlayoutState & { readonly awaits?: 'play.held' | 'play.cleared' } {
    const playing = this.#awaits !== 'play.cleared' && this.#playing;
    return {
      queue: this.#queue,
      held: this.#held,
      ...(this.#awaits ? { awaits: this.#awaits } : {}),
      ...(playing ? { playing } : {}),
    };
  }

  /** Sound that has not ended yet ends at `at`. */
  end(at: number): this {
    this.#silent(at);
    return this;
  }

  #obey(type: string, at: number, data: JournalLine['data']): void {
    if (type === 'play.start') this.#queue.push(Number(data.uttId));
    else if (type === 'play.hold') {
      this.#held = true;
      this.#awaits = this.#playing && 'play.held';
    } else if (type === 'play.release') {
      this.#held = false;
      this.#awaits = undefined;
      if (this.#playing) this.#sounds({ ...this.#playing, sinceAt: at });
    } else if (type === 'play.clear') {
      this.#queue = [];
      this.#held = false;
      this.#awaits = this.#playing && 'play.cleared';
    }
  }

  #told(type: string, at: number, data: JournalLine['data']): void {
    const uttId = Number(data.uttId);
    const playedMs = Number(data.playedMs ?? 0);
    switch (type) {
      case 'play.started':
        this.#queue = this.#queue.filter((waiting) => waiting !== uttId);
        this.#sounds({ uttId, playedMs: 0, sinceAt: at });
        return;
      case 'play.mark':
        if (this.#playing?.uttId === uttId) this.#playing = { uttId, playedMs, sinceAt: at };
        return;
      case 'play.held':
        if (this.#playing) this.#playing = { uttId, playedMs, sinceAt: at };
        this.#awaits = undefined;
        this.#silent(at);
        return;
      case 'play.finished':
        this.finished.add(uttId);
        this.#ended(at);
        return;
      case 'play.cleared':
      case 'process.lost':
        this.#ended(at);
        this.#awaits = undefined;
    }
  }

  #sounds(playing: { uttId: number; playedMs: number; sinceAt: number }): void {
    this.#playing = playing;
    this.#soundsSince ??= playing.sinceAt;
  }

  #ended(at: number): void {
    this.#silent(at);
    this.#playing = undefined;
  }

  #silent(at: number): void {
    const from = this.#soundsSince;
    this.#soundsSince = undefined;
    if (from === undefined || at <= from) return;
    const last = this.spans.at(-1);
    if (last && from - last.to < PAUSE_MS) last.to = at;
    else this.spans.push({ from, to: at });
  }
}

/** When the caller heard the assistant. */
export function assistantSpans(lines: readonly JournalLine[]): readonly AssistantSpan[] {
  const playout = new RecordedPlayout();
  for (const line of lines) playout.take(line);
  return playout.end(lines.at(-1)?.at ?? 0).spans;
}
