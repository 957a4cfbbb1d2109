import { Membership } from './cluster/membership.ts';
import { isProcessGone, processPlace } from './cluster/process-place.ts';
import { newToken, uuidv7 } from './lib/ids.ts';
import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import { recoverRecordings } from './recovery.ts';
import type { Db } from './store/db.ts';
import { isAlive } from './store/embedded/is-alive.ts';

interface NodeDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly recordingsDir: string;
  /** No other service has this database, so that what is not of this one is dead. */
  readonly soleService: boolean;
  /** Others have ended the calls of this node on record. */
  readonly onTakenForDead: () => void;
}

/** Makes this process one of the nodes of its database. */
export async function joinNodes(deps: NodeDeps): Promise<Membership> {
  const place = await processPlace();
  const id = uuidv7();
  const membership = new Membership({
    ...deps,
    node: { id, serviceId: id, place, pid: process.pid, address: '', secret: newToken() },
    isDead: (node) =>
      deps.soleService ? node.serviceId !== id : isProcessGone(node, { place, isAlive }),
    onOrphans: (calls) => recoverRecordings(deps, calls),
  });
  await membership.join();
  return membership;
}
