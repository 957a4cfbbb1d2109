import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { endSuspendedCalls } from '../calls/end-suspended-calls.ts';
import { createWebCalls } from '../calls/web-calls.ts';
import type { Config } from '../config/config.ts';
import { readPrices } from '../config/prices.ts';
import { settleDirectReads } from '../lib/direct-reads.ts';
import { systemClock } from '../lib/system-clock.ts';
import { createLog } from '../telemetry/log.ts';
import { createAddresses } from './addresses.ts';
import { createBackgroundWork } from './background-work.ts';
import { callDeps } from './call-deps.ts';
import { createFirstTeam } from './first-start.ts';
import { createHttp } from './http.ts';
import { createLiveCalls } from './live-calls.ts';
import { joinNodes } from './node.ts';
import { createOutbound } from './outbound.ts';
import { createPhoneService } from './phone-service.ts';
import { recover } from './recovery.ts';
import { openServiceStore } from './service-store.ts';
import { followTeamVendors } from './team-vendors.ts';
import type { ClaimedAssignment } from './worker-assignment.ts';

export interface App {
  readonly log: Logger;
  readonly server: FastifyInstance;
  /** The API key that the very first start has created; it is shown only once. */
  readonly newKey: string | undefined;
  /** Resolves with the address once the service takes calls. */
  listen(): Promise<string>;
  /** Lets live calls finish, then closes everything. Idempotent. */
  close(): Promise<void>;
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
  const newKey = await createFirstTeam(store.db, { configuredKey: config.apiKey, vendors });

  const soleNode = soleService && opensService;
  const work = await createBackgroundWork(config, {
    store,
    live,
    outbound,
    soleNode,
    clock,
    log,
  });
  const calls = callDeps(config, { store, live, outbound, work, node, prices, clock, log });
  const addresses = createAddresses(config.publicUrl);
  const phone = await createPhoneService(config, { calls, node, work, addresses, assignment });
  const webCalls = createWebCalls({ ...calls, operators: phone.telephone.operators });
  let stopEndingSuspended = () => {};
  let stopFollowingVendors = () => {};
  let warm = false;
  const ready = () => warm && !live.registry.draining;
  const parts = { store, live, outbound, node, work, phone, webCalls, addresses };
  const http = await createHttp(config, { ...parts, ready, clock, log });
  live.metrics.watchStorage(store.storage);
  live.metrics.watchJobs(() => work.jobs.counts());

  async function listen(): Promise<string> {
    await work.start();
    const address = await http.listen();
    await outbound.providers.warmUp();
    await phone.telephone.start();
    live.start();
    stopFollowingVendors = await followTeamVendors({
      ...{ db: store.db, providers: outbound.providers, clock, log },
    });
    stopEndingSuspended = endSuspendedCalls({ db: store.db, calls: live.registry, clock, log });
    warm = true;
    return address;
  }

  async function close(): Promise<void> {
    const graceMs = config.drainSeconds * 1000;
    const relayed = Promise.race([node.relaysIdle(), delay(graceMs, undefined, { ref: false })]);
    await Promise.all([live.drain(graceMs), relayed]);
    stopEndingSuspended();
    stopFollowingVendors();
    await webCalls.close();
    await phone.telephone.close();
    await http.close();
    await work.close();
    await outbound.close();
    await node.leave();
    await store.close();
    live.close();
  }

  let closing: Promise<void> | undefined;
  return {
    log,
    server: http.server,
    newKey,
    listen,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
