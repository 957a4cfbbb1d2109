import type { Script } from '../script.ts';

/** The kinds of script that figures are also told apart by. */
export const labelsOf = ({ sort, neverSeen, hearing }: Script): readonly string[] => [
  sort,
  neverSeen ? 'never seen' : 'first hand',
  hearing.punctuation === 'none' ? 'no punctuation' : `full stops ${hearing.fullStops}`,
];

/** What traces give: counts and samples by name. Those of many traces are added up. */
export class Measures {
  readonly counts: Record<string, number> = {};
  readonly samples: Record<string, number[]> = {};

  /** Labels count it once more under `name/label`. */
  count(name: string, by = 1, labels: readonly string[] = []): void {
    for (const key of [name, ...labels.map((label) => `${name}/${label}`)]) {
      this.counts[key] = (this.counts[key] ?? 0) + by;
    }
  }

  sample(name: string, value: number, labels: readonly string[] = []): void {
    for (const key of [name, ...labels.map((label) => `${name}/${label}`)]) {
      const list = this.samples[key];
      if (list) list.push(value);
      else this.samples[key] = [value];
    }
  }

  add({ counts, samples }: Pick<Measures, 'counts' | 'samples'>): void {
    for (const [name, by] of Object.entries(counts)) this.count(name, by);
    for (const [name, values] of Object.entries(samples)) {
      for (const value of values) this.sample(name, value);
    }
  }

  get(name: string): number {
    return this.counts[name] ?? 0;
  }

  /** Share of one count in another; nothing while there is none of it. */
  share(part: string, whole: string): number | undefined {
    const all = this.get(whole);
    return all === 0 ? undefined : this.get(part) / all;
  }

  mean(name: string): number | undefined {
    const values = this.samples[name];
    return values && values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  quantile(name: string, q: number): number | undefined {
    const sorted = this.samples[name]?.toSorted((a, b) => a - b);
    return sorted?.[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  }
}
