import { randomBytes } from 'node:crypto';
import { withNodeTag } from '../lib/node-tag.ts';

/** Holds one live resume token per call; a token works once. */
export class ResumeTable<T> {
  readonly #nodeId: string;
  readonly #owners = new Map<string, T>();
  readonly #tokens = new Map<T, string>();

  /** The tokens lead back to this node. */
  constructor(nodeId: string) {
    this.#nodeId = nodeId;
  }

  get size(): number {
    return this.#owners.size;
  }

  /** Whoever may still come back. */
  owners(): readonly T[] {
    return [...this.#owners.values()];
  }

  /** Whose token it is; it stays good. */
  find(token: string): T | undefined {
    return this.#owners.get(token);
  }

  /** A new token; the owner's former one is void. */
  issue(owner: T): string {
    this.revoke(owner);
    const token = withNodeTag(randomBytes(24).toString('base64url'), this.#nodeId);
    this.#owners.set(token, owner);
    this.#tokens.set(owner, token);
    return token;
  }

  /** Redeems a token: it is void from now on. */
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
