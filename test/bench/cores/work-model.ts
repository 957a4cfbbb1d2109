import { type Recording, threadMsPerCallSecond } from './recording.ts';

/** What a process with a number of calls has to do, from recordings at some other numbers. */
export class WorkModel {
  readonly #recordings: readonly [Recording, ...Recording[]];
  readonly #costs: readonly { readonly calls: number; readonly ms: number }[];

  constructor(recordings: readonly Recording[]) {
    const [first, ...others] = recordings.toSorted((a, b) => a.calls - b.calls);
    if (!first) throw new Error('nothing was recorded');
    this.#recordings = [first, ...others];
    this.#costs = this.#recordings.map((one) => ({
      calls: one.calls,
      ms: threadMsPerCallSecond(one),
    }));
  }

  get smallest(): Recording {
    return this.#recordings[0];
  }

  /** The recording with the most calls that are not more than these; of fewer than all, the smallest. */
  below(calls: number): Recording {
    return this.#recordings.findLast((one) => one.calls <= calls) ?? this.#recordings[0];
  }

  /** The recording whose number of calls is the nearest. */
  nearest(calls: number): Recording {
    const away = (one: Recording) => Math.abs(one.calls - calls);
    return this.#recordings.reduce((best, one) => (away(one) < away(best) ? one : best));
  }

  /**
   * What a call takes of the thread where there are so many, ms a second: a part of its own and a share of what the process
   * takes for all. With more calls than were recorded it is as with the most of these, with fewer no less than with the fewest.
   */
  threadMs(calls: number): number {
    const costs = this.#costs;
    const last = costs.at(-1) as (typeof costs)[number];
    if (costs.length === 1 || calls >= last.calls) return last.ms;
    const above = Math.max(
      1,
      costs.findIndex((one) => one.calls >= calls),
    );
    const [low, high] = [costs[above - 1], costs[above]] as [typeof last, typeof last];
    const share = (1 / Math.max(1, calls) - 1 / high.calls) / (1 / low.calls - 1 / high.calls);
    const ms = high.ms + share * (low.ms - high.ms);
    return calls < low.calls ? Math.max(low.ms, ms) : ms;
  }
}
