import { TextKey } from '../lib/sealed-text.ts';

/** A key that encrypts what was said in a team's calls. */
export interface TeamKey {
  readonly id: string;
  readonly teamId: string;
  /** 32 bytes. */
  readonly bytes: Buffer;
  readonly createdAt: Date;
}

/** A team's key, ready to seal texts. */
export interface HeldKey extends TeamKey {
  readonly texts: TextKey;
}

const MAX_KEYS = 1000;
/** How long another key of a team may take to be used by every process. */
const CURRENT_MS = 60_000;

/** Keys of teams, which are kept in memory once they were used. */
export class TeamKeyring {
  readonly #now: () => number;
  readonly #keys = new Map<string, HeldKey>();
  readonly #current = new Map<string, { readonly key: HeldKey; readonly until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The key that seals what is new. */
  async current(teamId: string, load: () => Promise<TeamKey>): Promise<HeldKey> {
    const known = this.#current.get(teamId);
    if (known && known.until > this.#now()) return known.key;
    const key = this.hold(await load());
    keep(this.#current, teamId, { key, until: this.#now() + CURRENT_MS });
    return key;
  }

  /** A key by its id; undefined once it was thrown away. */
  async find(id: string, load: () => Promise<TeamKey | undefined>): Promise<HeldKey | undefined> {
    const known = this.#keys.get(id);
    if (known) return known;
    const key = await load();
    return key && this.hold(key);
  }

  hold(key: TeamKey): HeldKey {
    const held = this.#keys.get(key.id) ?? { ...key, texts: new TextKey(key.id, key.bytes) };
    keep(this.#keys, key.id, held);
    return held;
  }
}

/** The oldest entry goes when there are too many. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEYS && oldest !== undefined) map.delete(oldest);
}
