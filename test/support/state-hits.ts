import type { Chart } from '../../src/engine/machine/effects.ts';
import { REGIONS } from '../../src/engine/machine/machine.ts';
import { restoreCall } from '../../src/engine/machine/replay.ts';
import { finish } from '../../src/lib/steps.ts';
import type { JournalLine } from '../../src/ports/journal.ts';

/** Counts how often a process was killed in each state of the statechart. */
export class StateHits {
  readonly #hits = new Map<string, number>(
    Object.entries(REGIONS).flatMap(([region, { states }]) =>
      Object.keys(states).map((state) => [`${region}.${state}`, 0] as const),
    ),
  );

  add(chart: Chart): void {
    for (const [region, state] of Object.entries(chart)) {
      const place = `${region}.${state}`;
      this.#hits.set(place, (this.#hits.get(place) ?? 0) + 1);
    }
  }

  /** Counts the states in which the journal of a process ended that was killed. */
  killedIn(lines: readonly JournalLine[]): void {
    for (const [i, { type }] of lines.entries()) {
      if (type !== 'process.lost') continue;
      const { call } = finish(restoreCall(lines.slice(0, i)));
      this.add(call.snapshot.chart);
      call.stop();
    }
  }

  get missing(): readonly string[] {
    return [...this.#hits].flatMap(([place, count]) => (count === 0 ? [place] : []));
  }

  /** A line a region. */
  table(): string {
    return Object.entries(REGIONS)
      .map(([region, { states }]) => {
        const counts = Object.keys(states).map(
          (state) => `${state} ${this.#hits.get(`${region}.${state}`)}`,
        );
        return `${region}: ${counts.join(', ')}`;
      })
      .join('\n');
  }
}
