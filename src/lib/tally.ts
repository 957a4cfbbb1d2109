/** Counts how many places each holder occupies. */
export class Tally {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(holder: string): number {
    return this.#counts.get(holder) ?? 0;
  }

  /**
   * Takes one place for the holder; returns a function that releases it, or undefined if the holder has `max` places.
   */
  take(holder: string, max: number): (() => void) | undefined {
    const count = this.of(holder);
    if (count >= max) return undefined;
    this.#counts.set(holder, count + 1);
    this.#total++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#total--;
      const left = this.of(holder) - 1;
      if (left > 0) this.#counts.set(holder, left);
      else this.#counts.delete(holder);
    };
  }
}

/** Limits on places, for each kind of holder. */
export interface PlaceLimits {
  /** For one token. */
  readonly maxPerToken?: number;
  /** For one team. */
  readonly maxPerTeam: number;
  /** For one network, as returned by `networkOf`. */
  readonly maxPerAddress?: number;
  /** For all teams together. */
  readonly maxInAll: number;
}

/** Places that teams share, limited for each team, network and token. */
export class SharedPlaces {
  readonly #limits: PlaceLimits;
  readonly #tokens = new Tally();
  readonly #addresses = new Tally();
  readonly #teams = new Tally();

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Takes a place; returns a function that releases it, or undefined if a limit is reached. */
  take(holder: {
    readonly teamId: string;
    readonly token?: string;
    readonly address?: string;
  }): (() => void) | undefined {
    const { maxPerToken, maxPerTeam, maxPerAddress, maxInAll } = this.#limits;
    if (this.#teams.total >= maxInAll) return undefined;
    const wanted: [Tally, string | undefined, number | undefined][] = [
      [this.#teams, holder.teamId, maxPerTeam],
      [this.#tokens, holder.token, maxPerToken],
      [this.#addresses, holder.address, maxPerAddress],
    ];
    const taken: (() => void)[] = [];
    const leave = () => {
      for (const giveBack of taken) giveBack();
    };
    for (const [tally, name, max] of wanted) {
      if (name === undefined || max === undefined) continue;
      const giveBack = tally.take(name, max);
      if (!giveBack) {
        leave();
        return undefined;
      }
      taken.push(giveBack);
    }
    return leave;
  }
}
