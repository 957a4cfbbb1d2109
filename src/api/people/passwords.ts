import { randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import { Problem } from '../../contract/errors.ts';

/** Argon2id with the least that OWASP recommends: some 20 ms and 19 MiB a password. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** One at a time, beside the thread that carries sound; so many more may wait. */
const MAX_WAITING = 50;
const RETRY_AFTER_SECONDS = 5;

/** What the library does for us, on a thread of its own. */
export interface Argon2 {
  hash(password: string, cost: typeof COST): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

/** Hashes and checks passwords. */
export class Passwords {
  readonly #library: () => Promise<Argon2>;
  readonly #queue = new PQueue({ concurrency: 1 });
  #nobodys: Promise<string> | undefined;

  /** `library`: loaded with the first password, since many services never see one. */
  constructor(library: () => Promise<Argon2> = () => import('@node-rs/argon2')) {
    this.#library = library;
  }

  /** Returns the hash in the PHC form. Throws Problem if too many passwords wait. */
  hash(password: string): Promise<string> {
    return this.#inTurn(({ hash }) => hash(canonical(password), COST));
  }

  /**
   * True if it is the password of this hash. Without a hash the answer is false after the same work, so that its time
   * does not tell whether there is such an account. Throws Problem if too many passwords wait.
   */
  async check(password: string, expected: string | null | undefined): Promise<boolean> {
    const nobodys = await this.#hashOfNobody();
    const against = expected ?? nobodys;
    const isRight = await this.#inTurn(({ verify }) => verify(against, canonical(password)));
    return isRight && typeof expected === 'string';
  }

  /** Made at the first check, whoever's it is; after a failure the next check tries again. */
  async #hashOfNobody(): Promise<string> {
    this.#nobodys ??= this.hash(randomBytes(32).toString('base64'));
    try {
      return await this.#nobodys;
    } catch (error) {
      this.#nobodys = undefined;
      throw error;
    }
  }

  async #inTurn<T>(work: (library: Argon2) => Promise<T>): Promise<T> {
    if (this.#queue.size >= MAX_WAITING)
      throw new Problem({
        kind: 'too-many',
        message: 'Too many people sign in at once',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    return this.#queue.add(async () => work(await this.#library()));
  }
}

/** Keyboards write the same letter in more than one way. */
const canonical = (password: string) => password.normalize('NFKC');
