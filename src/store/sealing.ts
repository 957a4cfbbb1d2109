import type { Sealer } from '../lib/seal.ts';
import type { Db } from './db.ts';
import { PooledSession } from './pooled-session.ts';
import { mapServerSecrets } from './server-secrets.ts';

/** What seals the secrets in this database. */
export function sealerOf(db: Db): Sealer {
  const { session } = db._;
  if (session instanceof PooledSession && session.sealer) return session.sealer;
  throw new Error('this database was opened without a key for its secrets');
}

/** A document as it is stored: the secrets of its servers sealed for the team. */
export function sealDocument<T>(db: Db, teamId: string, document: T): T {
  return mapServerSecrets(document, (secret) =>
    secret === '' ? '' : sealerOf(db).seal(secret, teamId),
  );
}

/** A stored document with its secrets in the clear. */
export function openDocument<T>(db: Db, teamId: string, document: T): T {
  return mapServerSecrets(document, (secret) =>
    secret === '' ? '' : sealerOf(db).open(secret, teamId),
  );
}
