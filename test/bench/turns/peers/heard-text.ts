import type { CallEvent } from '../../../../src/engine/machine/events.ts';

/** Text of the caller, as the recogniser gives it. */
export type TextEvent = Extract<CallEvent, { type: 'stt.interim' | 'stt.final' }>;

interface Segment {
  readonly text: string;
  readonly final: boolean;
}

const joined = (segments: readonly Segment[]) => segments.map(({ text }) => text).join(' ');

/** What was heard of the caller since the last answer. */
export class HeardText {
  #segments = new Map<string, Segment>();
  /** Answered before they were final: what still comes of them is no new turn. */
  readonly #answered = new Set<string>();

  /** Tells whether it is anything new. */
  take({ segId, text, type }: TextEvent): boolean {
    if (text.trim() === '' || this.#answered.has(segId)) return false;
    this.#segments.set(segId, { text, final: type === 'stt.final' });
    return true;
  }

  drop(segId: string): void {
    this.#segments.delete(segId);
  }

  get all(): string {
    return joined([...this.#segments.values()]);
  }

  get final(): string {
    return joined([...this.#segments.values()].filter(({ final }) => final));
  }

  /** A text has been answered: all there was, or only what was final. */
  answered(text: string): void {
    const open = [...this.#segments].filter(([, { final }]) => !final);
    const whole = text === this.all;
    if (whole) for (const [segId] of open) this.#answered.add(segId);
    this.#segments = new Map(whole ? [] : open);
  }
}
