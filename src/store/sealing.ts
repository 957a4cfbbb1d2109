import type { Sealer } from '../lib/seal.ts';
import type { Db } from './db.ts';
import { PooledSession } from './pooled-session.ts';
import { mapServerSecrets } from './server-secrets.ts';

/** The sealer of this database; throws if it was opened without one. */
export function sealerOf(db: Db): Sealer {
  const { session } = db._;
  if (session instanceof PooledSession && session.sealer) return session.sealer;
  throw new Error('this database was opened without a key for its secrets');
}

/** The key of a call's originals as it was before the key of its team sealed it. */
export const openCallSecret = (db: Db, teamId: string, sealed: string): string =>
  sealerOf(db).open(sealed, teamId);

/** Seals the secrets of servers in a document, for the team. */
export function sealDocument<T>(db: Db, teamId: string, document: T): T {
  return mapServerSecrets(document, (secret) =>
    secret === '' ? '' : sealerOf(db).seal(secret, teamId),
  );
}

/** Opens the sealed secrets in a stored document. */
export function openDocument<T>(db: Db, teamId: string, document: T): T {
  return mapServerSecrets(document, (secret) =>
    secret === '' ? '' : sealerOf(db).open(secret, teamId),
  );
}
