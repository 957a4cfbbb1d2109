import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AuditTrail } from '../api/audit/trail.ts';
import { endSuspendedCalls } from '../calls/end-suspended-calls.ts';
import { spansOfCall } from '../calls/trace-call.ts';
import { createWebCalls } from '../calls/web-calls.ts';
import type { Config } from '../config/config.ts';
import { readPrices } from '../config/prices.ts';
import { settleDirectReads } from '../lib/direct-reads.ts';
import { systemClock } from '../lib/system-clock.ts';
import { callsTakenFrom, giveUpCalls } from '../store/orphaned-calls.ts';
import { createLog } from '../telemetry/log.ts';
import { createCallTraces } from '../telemetry/trace/call-traces.ts';
import { createAddresses } from './addresses.ts';
import { createBackgroundWork } from './background-work.ts';
import { callDeps } from './call-deps.ts';
import { createFirstTeam, type FirstCredentials } from './first-start.ts';
import { createHttp } from './http.ts';
import { createLiveCalls } from './live-calls.ts';
import { keepMemoryLow } from './memory-keeper.ts';
import { joinNodes } from './node.ts';
import { createOutbound } from './outbound.ts';
import { createPhoneService } from './phone-service.ts';
import { recover } from './recovery.ts';
import { openServiceStore } from './service-store.ts';
import { watchTeamVendors } from './team-vendors.ts';
import type { ClaimedAssignment } from './worker-assignment.ts';

export interface App {
  readonly log: Logger;
  readonly server: FastifyInstance;
  /** What the very first start has created. */
  readonly first: FirstCredentials;
  /** Resolves with the address once the service takes calls. */
  listen(): Promise<string>;
  /** Lets live calls finish, or leaves them to another process if one takes its place; then closes everything. Idempotent. */
  close(how?: { readonly retires: boolean }): Promise<void>;
}

/** Builds the service and connects its parts. `assignment`: that of a worker; absent for a single process. */
export async function createApp(config: Config, assignment?: ClaimedAssignment): Promise<App> {
  const log = createLog(config.logLevel);
  const clock = systemClock;
  await settleDirectReads(config.directReads, log);
  const prices = config.pricesFile ? await readPrices(config.pricesFile) : undefined;
  const opensService = assignment?.opensService ?? true;
  // Other services can only share a database server; the embedded one belongs to this service.
  const soleService = config.databaseUrl === undefined;

  const store = await openServiceStore(config, { assignment, log });
  const live = createLiveCalls(config, { clock });
  const outbound = createOutbound(config, { live, clock, log });
  const node = await joinNodes(config, { store, live, soleService, assignment, clock, log });
  if (opensService) await recover(store, () => node.sweep());
  const vendors = outbound.providers.catalogue;
  const first = await createFirstTeam(store.db, { configuredKey: config.apiKey, vendors });

  const { tracing } = config;
  const traces =
    tracing &&
    (await createCallTraces(tracing, {
      read: (callId) => spansOfCall(store.db, { callId, captureContent: tracing.captureContent }),
      onTrace: (outcome) => live.metrics.traced(outcome),
      ...{ clock, log },
    }));
  const soleNode = soleService && opensService;
  const work = await createBackgroundWork(config, {
    store,
    live,
    outbound,
    prices,
    traces,
    nodeId: node.id,
    soleNode,
    keepsFiles: opensService,
    clock,
    log,
  });
  const calls = callDeps(config, { store, live, outbound, work, node, prices, traces, clock, log });
  const addresses = createAddresses(config.publicUrl);
  const phone = await createPhoneService(config, { calls, node, work, addresses, assignment });
  const webCalls = createWebCalls({ ...calls, operators: phone.telephone.operators });
  let stopEndingSuspended = () => {};
  let leaveMemory = () => {};
  let warm = false;
  let isLeaving = false;
  const ready = () => warm && !live.registry.draining;
  const takesCalls = () => ready() || isLeaving;
  const audit = new AuditTrail({ db: store.db, clock, log });
  live.metrics.watchAudit(() => audit.unwritten);
  const teamVendors = watchTeamVendors({
    ...{ db: store.db, providers: outbound.providers, clock, log },
  });
  const parts = {
    audit,
    store,
    live,
    outbound,
    prices,
    node,
    work,
    phone,
    webCalls,
    addresses,
    teamVendors,
  };
  const http = await createHttp(config, { ...parts, ready, takesCalls, clock, log });
  live.metrics.watchRelays(() => node.relayed());
  live.metrics.watchStorage(store.storage);
  live.metrics.watchJobs(() => work.jobs.counts());

  async function listen(): Promise<string> {
    await work.start();
    // What a dead process was sending is sent at once.
    node.afterDeaths(() => work.afterCalls.recorded({ webhooksQueued: true, settled: false }));
    const address = await http.listen();
    await outbound.providers.warmUp();
    await phone.telephone.start();
    live.start();
    await teamVendors.start();
    stopEndingSuspended = endSuspendedCalls({ db: store.db, calls: live.registry, clock, log });
    leaveMemory = keepMemoryLow(clock);
    warm = true;
    return address;
  }

  /** Leaves the calls of this process to others; false if there are none. */
  async function leaveCalls(graceMs: number): Promise<boolean> {
    live.registry.beginDraining();
    isLeaving = await node.beginLeaving();
    if (!isLeaving) return false;
    await http.stopListening();
    const nodeId = node.id;
    await live.handOver(graceMs, {
      giveUp: (id) => giveUpCalls(store.db, { ids: [id], nodeId }),
      // If this cannot be read, the next calls wait as they do for a caller who does not come back.
      arrived: (callIds) => callsTakenFrom(store.db, { callIds, nodeId }).catch(() => []),
    });
    node.stopRelaying();
    return true;
  }

  async function close(retires: boolean): Promise<void> {
    const graceMs = config.drainSeconds * 1000;
    if (!(retires && config.drain === 'handover' && (await leaveCalls(graceMs)))) {
      const relayed = Promise.race([node.relaysIdle(), delay(graceMs, undefined, { ref: false })]);
      await Promise.all([live.drain(graceMs), relayed]);
    }
    stopEndingSuspended();
    teamVendors.stop();
    leaveMemory();
    await webCalls.close();
    await phone.telephone.close({ leavesCalls: isLeaving });
    await http.close();
    await audit.flush();
    await work.close();
    await traces?.close();
    await outbound.close();
    await node.leave();
    await store.close();
    live.close();
  }

  let closing: Promise<void> | undefined;
  return {
    log,
    server: http.server,
    first,
    listen,
    close({ retires } = { retires: false }) {
      closing ??= close(retires);
      return closing;
    },
  };
}
