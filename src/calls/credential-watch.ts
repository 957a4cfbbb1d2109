import type { Role } from '../contract/role.ts';
import { repeat } from '../lib/repeat.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { credentialId, findStillAllowed, type Holder } from '../store/credentials.ts';
import type { Db } from '../store/db.ts';

const LOOK_MS = 1000;

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly least: Role;
}

interface Watched {
  readonly holder: Holder;
  /** Ends what was opened with the credential. */
  readonly end: () => void;
}

/**
 * Ends open sockets whose credential opens them no more, within a second: it was revoked, has expired or got another
 * role, or its team is suspended. All sockets of the process are one question.
 */
export class CredentialWatch {
  readonly #deps: Deps;
  readonly #watched = new Set<Watched>();
  #stop: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Watches until the returned function is called. */
  add(watched: Watched): () => void {
    this.#watched.add(watched);
    this.#stop ??= repeat(this.#deps.clock, LOOK_MS, () => this.#look());
    return () => {
      this.#watched.delete(watched);
      if (this.#watched.size === 0) this.close();
    };
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  async #look(): Promise<void> {
    const { db, clock, log, least } = this.#deps;
    const asked = [...this.#watched];
    try {
      const holders = asked.map(({ holder }) => holder);
      const now = new Date(clock.now());
      const allowed = await findStillAllowed(db, { holders, least, now });
      for (const { holder, end } of asked) if (!allowed.has(credentialId(holder))) end();
    } catch (err) {
      log.warn({ err }, 'the credentials of open sockets could not be looked up');
    }
  }
}
