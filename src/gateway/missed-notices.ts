import type { LegNotice } from '../ports/media.ts';

const MAX_KEPT = 64;

/** Keeps what an absent client needs to see when it returns: the last state and status, and the final transcripts. */
export class MissedNotices {
  #kept: LegNotice[] = [];

  add(notice: LegNotice): void {
    if (notice.type === 'transcript') {
      if (!notice.final) return;
    } else if (notice.type !== 'error') {
      this.#kept = this.#kept.filter((kept) => kept.type !== notice.type);
    }
    this.#kept.push(notice);
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
  }

  drain(): readonly LegNotice[] {
    return this.#kept.splice(0);
  }
}
