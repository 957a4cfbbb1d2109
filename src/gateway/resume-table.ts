/** Holds one valid resume token per call; a token works once. */
export class ResumeTable<T> {
  readonly #create: (owner: T) => string;
  readonly #owners = new Map<string, T>();
  readonly #tokens = new Map<T, string>();

  /** `create` makes a new token for an owner, which nobody can guess. */
  constructor(create: (owner: T) => string) {
    this.#create = create;
  }

  get size(): number {
    return this.#owners.size;
  }

  /** The owners of valid tokens. */
  owners(): readonly T[] {
    return [...this.#owners.values()];
  }

  /** The owner of a token; the token stays valid. */
  find(token: string): T | undefined {
    return this.#owners.get(token);
  }

  /** Issues a new token and revokes the owner's previous one. */
  issue(owner: T): string {
    const token = this.#create(owner);
    this.keep(owner, token);
    return token;
  }

  /** Makes a token the owner's valid one. */
  keep(owner: T, token: string): void {
    this.revoke(owner);
    this.#owners.set(token, owner);
    this.#tokens.set(owner, token);
  }

  /** Redeems a token and revokes it. */
  take(token: string): T | undefined {
    const owner = this.#owners.get(token);
    if (owner !== undefined) this.revoke(owner);
    return owner;
  }

  revoke(owner: T): void {
    const token = this.#tokens.get(owner);
    if (token === undefined) return;
    this.#tokens.delete(owner);
    this.#owners.delete(token);
  }
}
