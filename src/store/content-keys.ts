import type { Db } from './db.ts';
import { TeamKeyring } from './team-keyring.ts';

/** How a database treats what was said. */
export class ContentKeys {
  readonly keyring = new TeamKeyring(Date.now);
  /** What is new is sealed; what is sealed is read in either case. */
  readonly seals: boolean;
  /** The database outside of any transaction: a key that is made within one would go with it. */
  readonly root: () => Db;

  constructor({ seals, root }: { readonly seals: boolean; readonly root: () => Db }) {
    this.seals = seals;
    this.root = root;
  }
}
