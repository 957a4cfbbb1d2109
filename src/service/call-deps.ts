import { takeOverQueue } from '../calls/restore-recorded.ts';
import type { WebCallsDeps } from '../calls/web-calls.ts';
import type { Config } from '../config/config.ts';
import type { Prices } from '../contract/prices.ts';
import { callClock } from '../lib/prompt-clock.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { CallTraces } from '../ports/tracing.ts';
import { Ticker } from '../session/ticker.ts';
import { GroupedRecords } from '../store/grouped-records.ts';
import type { BackgroundWork } from './background-work.ts';
import type { LiveCalls } from './live-calls.ts';
import type { ServiceNode } from './node.ts';
import type { Outbound } from './outbound.ts';
import type { ServiceStore } from './service-store.ts';

interface Parts {
  readonly store: ServiceStore;
  readonly live: LiveCalls;
  readonly outbound: Outbound;
  readonly work: BackgroundWork;
  readonly node: Pick<ServiceNode, 'id'>;
  readonly prices: Prices | undefined;
  readonly traces: CallTraces | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Everything that calls need of the service, on whatever way they come in. */
export function callDeps({ drafts }: Pick<Config, 'drafts'>, parts: Parts): WebCallsDeps {
  const { store, live, outbound, work, node, prices, traces, clock, log } = parts;
  const { db, recordingsDir, callFiles, storage, unsavedRecords } = store;
  const { registry, metrics, threadUse, starts } = live;
  const { fetch, maxResponseBytes, schemas } = outbound.toolServers;
  return {
    sounds: outbound.sounds,
    textAnalyser: outbound.textAnalyser,
    knowledge: work.knowledge.search,
    db,
    clock,
    timers: callClock,
    ticker: new Ticker(clock),
    records: new GroupedRecords({ db, clock }),
    providers: outbound.providers,
    recordingsDir,
    callFiles,
    takeOvers: takeOverQueue(),
    ...(prices ? { prices } : {}),
    toolFetch: fetch,
    toolResponseBytes: maxResponseBytes,
    schemas,
    traceHeaders: traces?.headers,
    drafts,
    log,
    nodeId: node.id,
    registry,
    metrics,
    threadUse,
    callStarts: starts,
    keepUnsaved: (unsaved) => unsavedRecords.keep(unsaved),
    onRecorded: (batch) => work.afterCalls.recorded(batch),
    onRecordingStopped(error) {
      storage.failed(error);
      metrics.recordingStopped();
    },
    onTurn: ({ totalMs }) => void (totalMs !== undefined && metrics.turn(totalMs)),
  };
}
