/** A seeded source of choices. Forks are independent: what one part draws never moves what another gets. */
export class Random {
  readonly #key: string;
  #state: number;

  constructor(key: string | number) {
    this.#key = String(key);
    this.#state = hash(this.#key);
  }

  fork(...labels: readonly (string | number)[]): Random {
    return new Random(`${this.#key}/${labels.join('/')}`);
  }

  /** Uniform in [0, 1): mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number, both ends included. */
  int(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item;
  }

  /** Standard normal. */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return radius * Math.cos(2 * Math.PI * this.next());
  }

  lognormal(median: number, p95: number): number {
    return median * Math.exp((Math.log(p95 / median) / 1.645) * this.normal());
  }
}

function hash(text: string): number {
  let h = 2_166_136_261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16_777_619);
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  return (h ^ (h >>> 13)) >>> 0;
}
