import { readFile, stat } from 'node:fs/promises';

/** Whom the server runs as, where that is not ourselves. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ['parley', 'postgres', 'nobody'];

/**
 * Postgres refuses to run as root: then it runs as an unprivileged user, the one who owns the data
 * where there is some. Undefined where we are not root ourselves.
 */
export async function findServerAccount(clusterDir: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = await readAccounts();
  const owner = await stat(clusterDir).then(
    ({ uid }) => uid,
    () => 0,
  );
  const account =
    accounts.find(({ uid }) => uid === owner && uid !== 0) ??
    CANDIDATES.map((name) => accounts.find((entry) => entry.name === name)).find(Boolean);
  if (!account) {
    throw new Error(
      `the embedded database can't run as root and found none of the users ${CANDIDATES.join(', ')}: start the service as another user, or set DATABASE_URL`,
    );
  }
  return account;
}

async function readAccounts(): Promise<readonly Account[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
