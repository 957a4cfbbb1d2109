import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { registerConsole, registerRoot } from '../api/console.ts';
import { sendError, sendFrameworkError } from '../api/framework-errors.ts';
import { createApi } from '../api/plugin.ts';
import { headerTimeouts, refuseSlowBodies } from '../api/slow-requests.ts';
import { createAfterCalls, type Recorded } from '../calls/after-calls.ts';
import { recordingReader } from '../calls/recordings.ts';
import { createWebCalls } from '../calls/web-calls.ts';
import type { Config } from '../config/config.ts';
import { openSealer } from '../config/encryption-key.ts';
import { readPrices } from '../config/prices.ts';
import type { TurnMetrics } from '../contract/call-journal.ts';
import { registerSocketServer } from '../gateway/socket-server.ts';
import { registerWebSocket } from '../gateway/web-socket.ts';
import { createJobs } from '../jobs/jobs.ts';
import { closeServer } from '../lib/close-server.ts';
import { settleDirectReads } from '../lib/direct-reads.ts';
import { createFairFetch } from '../lib/fair-fetch.ts';
import { createGuardedFetch } from '../lib/guarded-fetch.ts';
import { uuidv7 } from '../lib/ids.ts';
import { closeToOthers } from '../lib/private-files.ts';
import { SchemaChecker } from '../lib/schema-checker.ts';
import { systemClock } from '../lib/system-clock.ts';
import type { CallBatch } from '../ports/call-store.ts';
import { createProviders } from '../providers/registry.ts';
import { LoopLag } from '../session/loop-lag.ts';
import { SessionRegistry } from '../session/registry.ts';
import type { Session } from '../session/session.ts';
import { Ticker } from '../session/ticker.ts';
import { SoundLibrary } from '../sounds/sound-library.ts';
import { ensureFirstTeam } from '../store/bootstrap.ts';
import { GroupedRecords } from '../store/grouped-records.ts';
import { findMediaTokenTeam } from '../store/media-tokens.ts';
import { createLog } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { createFirstAssistant } from './first-start.ts';
import { registerHealth } from './health.ts';
import { openKnowledge } from './knowledge-service.ts';
import { createServiceMetrics } from './metrics.ts';
import { joinNodes } from './node.ts';
import { createPhoneService } from './phone-service.ts';
import { reachLocally } from './reach-locally.ts';
import { recover } from './recovery.ts';
import { StorageState } from './storage-state.ts';
import { UnsavedRecords } from './unsaved-records.ts';
import { type ClaimedAssignment, openStore } from './worker-assignment.ts';

export interface App {
  readonly log: Logger;
  readonly server: FastifyInstance;
  /** Made at the very first start; shown once. */
  readonly newKey: string | undefined;
  /** Resolves with the address once the service takes calls. */
  listen(): Promise<string>;
  /** Lets live calls finish, then lets go of everything. Idempotent. */
  close(): Promise<void>;
}

const FAREWELL_MS = 10_000;
/** For durable work in progress; what takes longer is done after the next start. */
const JOBS_GRACE_MS = 5_000;
/** Largest frame of any media socket. */
const MAX_FRAME_BYTES = 64 * 1024;

/** Builds every part of the service and wires it; `seat`: among the processes of one. */
export async function createApp(config: Config, seat?: ClaimedAssignment): Promise<App> {
  const log = createLog(config.logLevel);
  const clock = systemClock;
  await settleDirectReads(config.directReads, log);
  const prices = config.pricesFile ? await readPrices(config.pricesFile) : undefined;
  const opensService = seat?.opensService ?? true;
  // Its parts are closed one by one: the embedded database may run as another user, who has to get through.
  await mkdir(config.dataDir, { recursive: true });
  if (opensService && !(await closeToOthers(config.recordingsDir)))
    log.warn({ folder: config.recordingsDir }, 'recordings lie in a folder that is not ours alone');
  const sealer = await openSealer(config);
  const database = await openStore(config, seat, { sealer, log });
  const { db } = database;
  // A database server may have other processes of ours; then what one had at work is free by time alone.
  const soleService = config.databaseUrl === undefined;
  const soleNode = soleService && opensService;
  const lag = new LoopLag({ clock, limitMs: config.maxLagMs });
  const registry = new SessionRegistry<Session>(config.maxCalls, lag);
  const metrics = createMetrics(() => registry.size);
  const jobs = createJobs({ connection: database.connection, log, soleNode });
  const storage = new StorageState(config.recordingsDir);
  metrics.watchStorage(storage);
  metrics.watchJobs(() => jobs.counts());
  const providers = createProviders({
    meter: metrics.vendors,
    vendors: config.vendors,
    modelDirs: config.modelDirs,
    embeddings: config.embeddings,
    allowPrivateTargets: config.allowPrivateTargets,
    clock,
    log,
  });
  const vendors = providers.catalogue;
  const outbound = createGuardedFetch({ allowPrivate: config.allowPrivateTargets, clock });
  const toolFetch = createFairFetch(outbound.fetch);
  const schemas = new SchemaChecker();
  const afterCalls = createAfterCalls({
    db,
    schemas,
    clock,
    jobs,
    providers,
    recordingsDir: config.recordingsDir,
    soleNode,
    fetch: outbound.fetch,
    log,
  });
  const spill = new UnsavedRecords(config.dataDir, log);
  const { recordingsDir } = config;
  const node = await joinNodes({
    db,
    clock,
    log,
    recordingsDir,
    host: config.nodeHost,
    soleService,
    registry,
    seat,
  });
  if (opensService) await recover({ db, spill, recordingsDir, sweep: () => node.sweep() });
  const { team, newKey, created } = await ensureFirstTeam(
    db,
    config.apiKey ? { configuredKey: config.apiKey } : {},
  );
  if (created) await createFirstAssistant(db, { teamId: team.id, vendors });

  const knowledge = await openKnowledge({
    db,
    connection: database.connection,
    jobs,
    filesDir: config.filesDir,
    fetch: outbound.fetch,
    embedder: providers.embedder,
    log,
  });
  const sounds = new SoundLibrary({ fetch: outbound.fetch, clock, log });
  const callDeps = {
    sounds,
    knowledge: knowledge.search,
    db,
    clock,
    ticker: new Ticker(clock),
    records: new GroupedRecords({ db, clock }),
    providers,
    recordingsDir,
    ...(prices ? { prices } : {}),
    toolFetch,
    toolResponseBytes: config.toolResponseBytes,
    schemas,
    drafts: config.drafts,
    log,
    nodeId: node.id,
    registry,
    metrics,
    spill: (teamId: string, batch: CallBatch) => spill.keep(teamId, batch),
    onRecorded: (what: Recorded) => afterCalls.recorded(what),
    onRecordingStopped(error: unknown) {
      storage.failed(error);
      metrics.recordingStopped();
    },
    onTurn: ({ totalMs }: TurnMetrics) => void (totalMs !== undefined && metrics.turn(totalMs)),
  };
  const publicUrl = (request: FastifyRequest) =>
    config.publicUrl ?? `${request.protocol}://${request.host}`;
  let address = '';
  const { telephone, carriers } = await createPhoneService(config, {
    ...callDeps,
    bus: node.bus,
    oldest: node.oldest,
    room: node.room,
    seat,
    jobs,
    vendors,
    publicUrl,
    ownUrl: () => config.publicUrl ?? address,
    reach: reachLocally(config.publicUrl, () => address),
  });
  const webCalls = createWebCalls({ ...callDeps, operators: telephone.operators });
  let warm = false;
  const ready = () => warm && !registry.draining;

  const server = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    genReqId: () => uuidv7(),
    frameworkErrors: sendFrameworkError,
    http: headerTimeouts(),
    trustProxy: config.trustedProxies ? [...config.trustedProxies] : false,
  });
  server.setErrorHandler(sendError);
  refuseSlowBodies(server, { clock });
  await registerSocketServer(server, { maxFrameBytes: MAX_FRAME_BYTES });
  const serviceMetrics = createServiceMetrics(metrics, node);
  registerHealth(server, {
    ready,
    ping: () => database.ping(),
    isDiskFull: () => storage.isFull(),
    metrics: serviceMetrics,
  });
  registerWebSocket(server, {
    findTokenTeam: (token) => findMediaTokenTeam(db, { token }),
    redeem: (token) => webCalls.redeem(token),
    nodeId: node.id,
    clock,
    log,
  });
  telephone.register(server);
  node.relaySockets(server);
  await server.register(
    createApi({
      db,
      control: node.control,
      onRedeliver: () => afterCalls.recorded({ told: true, settled: false }),
      monitor: registry,
      vendors,
      vendorProblems: (assistant) => providers.problemsOf(assistant),
      recordings: recordingReader,
      jobs,
      fileStorage: knowledge.fileStorage,
      knowledge: knowledge.search,
      fileReader: knowledge.fileReader,
      ready,
      hasRoom: () => node.room.isAnywhere(),
      carriers,
      dialer: telephone.dialer,
      numbersChanged: () => telephone.numbersChanged(),
      carrierBaseUrl: config.publicUrl,
      publicUrl,
      toolServers: {
        clock,
        fetch: toolFetch,
        maxResponseBytes: config.toolResponseBytes,
        schemas,
      },
    }),
  );
  registerRoot(server);
  await registerConsole(server);

  let closing: Promise<void> | undefined;
  const close = async () => {
    const wait = (ms: number) => delay(ms, undefined, { ref: false });
    const graceMs = config.drainSeconds * 1000;
    await Promise.all([
      registry.drain(wait, graceMs, FAREWELL_MS),
      Promise.race([node.relaysIdle(), wait(graceMs)]),
    ]);
    lag.stop();
    await webCalls.close();
    await telephone.close();
    await closeServer(server, clock);
    await afterCalls.stop();
    await jobs.stop(JOBS_GRACE_MS);
    knowledge.close();
    schemas.close();
    await providers.close();
    sounds.close();
    await outbound.close();
    await node.leave();
    await database.close();
    metrics.close();
  };
  return {
    log,
    server,
    newKey,
    async listen() {
      await jobs.start();
      await afterCalls.start();
      await knowledge.start();
      address = await server.listen({ host: config.host, port: config.port });
      await providers.warmUp();
      await telephone.start();
      lag.start();
      warm = true;
      return address;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
