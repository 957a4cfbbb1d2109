/** A serialised JSON response. */
export interface JsonBody {
  readonly bytes: Buffer;
  /** Entity tag of the body. */
  readonly tag: string;
}

/** A larger share of a cache than this would leave too little room for others. */
const MOST_OF_CACHE = 1 / 8;

/** Least-recently-used cache of bodies, limited by their bytes. */
export class BodyCache<Body extends { readonly bytes: Buffer }> {
  readonly #maxBytes: number;
  // Least recently used first.
  readonly #bodies = new Map<string, Body>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Body | undefined {
    const body = this.#bodies.get(key);
    if (body === undefined) return undefined;
    this.#bodies.delete(key);
    this.#bodies.set(key, body);
    return body;
  }

  set(key: string, body: Body): void {
    this.#remove(key);
    if (body.bytes.length > MOST_OF_CACHE * this.#maxBytes) return;
    this.#bodies.set(key, body);
    this.#bytes += body.bytes.length;
    for (const oldest of this.#bodies.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#bodies.get(key)?.bytes.length ?? 0;
    this.#bodies.delete(key);
  }
}
