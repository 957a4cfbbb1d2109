import type { Clock } from '../ports/clock.ts';
import type { Db } from '../store/db.ts';
import type { NodeRecord } from '../store/nodes.ts';
import { callsLostBy, keepNode } from '../store/orphaned-calls.ts';
import type { LeaseHelp } from './lease-watch.ts';

export interface LeaseQuestion {
  readonly node: NodeRecord;
  readonly leaseMs: number;
  /** The live calls of the node. */
  readonly callIds: readonly string[];
}

interface HelpDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** True if this node reaches the store itself. */
  readonly isSteady: () => boolean;
}

/** Longer than a store takes that is well; the node that asks waits a little longer. */
const STORE_MS = 600;
export const HELP_TIMEOUT_MS = 900;

const NO_HELP: LeaseHelp = { isRenewed: false, lost: [] };

/** Renews the lease of a node that cannot reach the store; not renewed if the store does not answer here either. */
export async function helpWithLease(
  { db, clock, isSteady }: HelpDeps,
  { node, leaseMs, callIds }: LeaseQuestion,
): Promise<LeaseHelp> {
  if (!isSteady()) return NO_HELP;
  let isWanted = true;
  const late = Promise.withResolvers<LeaseHelp>();
  const timer = clock.setTimeout(() => late.resolve(NO_HELP), STORE_MS);
  const help = async (): Promise<LeaseHelp> => {
    const lost = await callsLostBy(db, { nodeId: node.id, callIds });
    await keepNode(db, { node, leaseMs, isCutOff: true, isWanted: () => isWanted });
    return { isRenewed: true, lost };
  };
  try {
    return await Promise.race([help().catch(() => NO_HELP), late.promise]);
  } finally {
    isWanted = false;
    clock.clearTimeout(timer);
  }
}
