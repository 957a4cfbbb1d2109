import { hash } from 'node:crypto';

/** An entry of the audit log as it is chained. */
export interface ChainedEntry {
  /** From 1 on, without a gap. */
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
  readonly actor: {
    readonly type: string;
    readonly id?: string | undefined;
    readonly name?: string | undefined;
  };
  readonly action: string;
  readonly subject?: string | undefined;
  readonly outcome: string;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  readonly hash: string;
}

/** SHA-256, hex, over the previous entry's hash (empty before the first one), the chain's name and the entry. */
export function linkHash(
  chain: string,
  previous: string,
  { seq, at, actor, action, subject, outcome, address, requestId }: Omit<ChainedEntry, 'hash'>,
): string {
  const of = (value: string | undefined) => value ?? null;
  return hash(
    'sha256',
    JSON.stringify([
      ...[previous, chain, seq, at, actor.type, of(actor.id), of(actor.name)],
      ...[action, of(subject), outcome, of(address), of(requestId)],
    ]),
  );
}

/** Checks the entries of one chain, given oldest first. */
export class ChainCheck {
  readonly #chain: string;
  #seq = 0;
  #hash = '';

  constructor(chain: string) {
    this.#chain = chain;
  }

  /** The last entry that was checked. */
  get head(): { readonly seq: number; readonly hash: string } {
    return { seq: this.#seq, hash: this.#hash };
  }

  /** Returns what is wrong with the entry; undefined if it follows those before. */
  add(entry: ChainedEntry): string | undefined {
    const expected = this.#seq + 1;
    if (entry.seq !== expected)
      return entry.seq > expected
        ? `entry ${expected} is missing: ${entry.seq} follows`
        : `entry ${entry.seq} stands where ${expected} belongs`;
    if (linkHash(this.#chain, this.#hash, entry) !== entry.hash)
      return `entry ${entry.seq} is not what was written`;
    this.#seq = entry.seq;
    this.#hash = entry.hash;
    return undefined;
  }
}
