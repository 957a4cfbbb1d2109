import { readFile, stat } from 'node:fs/promises';

/** The user that the server runs as, if it is not the user of this process. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ['parley', 'postgres', 'nobody'];

/**
 * Postgres refuses to run as root, so under root it runs as an unprivileged user: the owner of existing data, if there
 * is some. Undefined if this process is not root.
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
