import { randomBytes } from 'node:crypto';
import { withNodeTag } from '../lib/node-tag.ts';

/** Holds one valid resume token per call; a token works once. */
export class ResumeTable<T> {
  readonly #nodeId: string;
  readonly #owners = new Map<string, T>();
  readonly #tokens = new Map<T, string>();

  /** The tokens contain this node's id, which routes the client back here. */
  constructor(nodeId: string) {
    this.#nodeId = nodeId;
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
    this.revoke(owner);
    const token = withNodeTag(randomBytes(24).toString('base64url'), this.#nodeId);
    this.#owners.set(token, owner);
    this.#tokens.set(owner, token);
    return token;
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
