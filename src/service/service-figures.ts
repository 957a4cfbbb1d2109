import type { Jobs } from '../jobs/jobs.ts';
import { keptFor } from '../lib/kept-for.ts';
import type { ReadServiceFigures } from '../ports/service-health.ts';
import { listNodes } from '../store/nodes.ts';
import type { ServiceNode } from './node.ts';
import type { ServiceStore } from './service-store.ts';

interface Deps {
  readonly store: Pick<ServiceStore, 'db' | 'storage'>;
  readonly jobs: Pick<Jobs, 'counts'>;
  readonly node: Pick<ServiceNode, 'siblings'>;
  readonly audit: { readonly unwritten: number };
  /** How many processes the service should have. */
  readonly wanted: number;
  /** Monotonic ms. @defaultValue the process's */
  readonly steady?: () => number;
}

/** However many look at once, the database is asked about jobs and processes once in this time. */
const KEPT_MS = 1_000;
/** A busy process renews its lease late now and then. */
const SILENT_MS = 2_000;

/** Reads the figures that the operator's metrics show, too, for the page of health. */
export function createServiceFigures(deps: Deps): ReadServiceFigures {
  const { store, jobs, node, audit, wanted, steady = () => performance.now() } = deps;
  return keptFor(KEPT_MS, steady, async () => {
    const [nodes, counts, isDiskFull, freeBytes] = await Promise.all([
      listNodes(store.db),
      jobs.counts(),
      store.storage.isFull(),
      store.storage.freeBytes().catch(() => undefined),
    ]);
    return {
      processes: nodes.length,
      silent: nodes.filter(({ overdueMs }) => overdueMs > SILENT_MS).length,
      own: 1 + node.siblings().length,
      wanted,
      jobs: counts,
      ...{ isDiskFull, freeBytes },
      unwrittenAudit: audit.unwritten,
    };
  });
}
