import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { AuditTrail } from '../api/audit/trail.ts';
import { registerConsole, registerRoot } from '../api/console.ts';
import { sendError, sendFrameworkError } from '../api/framework-errors.ts';
import { openIdProvider } from '../api/people/open-id.ts';
import { createApi } from '../api/plugin.ts';
import { beginInTurn, requestTurns } from '../api/request-turns.ts';
import { headerTimeouts, refuseSlowBodies } from '../api/slow-requests.ts';
import { createRecordingReader } from '../calls/recordings.ts';
import type { WebCalls } from '../calls/web-calls.ts';
import type { Config } from '../config/config.ts';
import type { Prices } from '../contract/prices.ts';
import { registerSocketServer } from '../gateway/socket-server.ts';
import { registerWebSocket } from '../gateway/web-socket.ts';
import { closeServer } from '../lib/close-server.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { LoopSlices } from '../lib/loop-slices.ts';
import { environmentName } from '../lib/vendor-accounts.ts';
import type { Clock } from '../ports/clock.ts';
import type { Addresses } from './addresses.ts';
import type { BackgroundWork } from './background-work.ts';
import { registerHealth } from './health.ts';
import type { LiveCalls } from './live-calls.ts';
import type { ServiceNode } from './node.ts';
import type { Outbound } from './outbound.ts';
import type { PhoneService } from './phone-service.ts';
import { createServiceFigures } from './service-figures.ts';
import type { ServiceStore } from './service-store.ts';
import { registerSupervisors } from './supervisors.ts';
import type { TeamVendorsWatch } from './team-vendors.ts';

interface HttpDeps {
  readonly store: ServiceStore;
  readonly live: LiveCalls;
  readonly outbound: Outbound;
  readonly node: ServiceNode;
  readonly work: BackgroundWork;
  readonly phone: PhoneService;
  readonly webCalls: WebCalls;
  readonly audit: AuditTrail;
  readonly prices: Prices | undefined;
  readonly addresses: Addresses;
  readonly teamVendors: TeamVendorsWatch;
  /** Whether this process takes new calls: false while starting and draining. */
  readonly ready: () => boolean;
  /** Whether the service takes new calls, here or in another process. */
  readonly takesCalls: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The server and everything that it answers: REST, media sockets, carriers' webhooks, the console, health. */
export interface Http {
  readonly server: FastifyInstance;
  /** Resolves with the address. */
  listen(): Promise<string>;
  /** Leaves new connections to the other processes that share the port; open ones go on. */
  stopListening(): Promise<void>;
  /** Answers the open requests first. */
  close(): Promise<void>;
}

/** Largest message of any media socket. */
const MAX_FRAME_BYTES = 64 * 1024;

const refuseRouteSchemas = () => () => {
  throw new Error('requests are checked by the schemas of the contract, not by those of routes');
};
/** Fastify loads its own compilers of JSON Schema, a hundred modules, unless it is given some. */
const noRouteSchemas = { buildValidator: refuseRouteSchemas, buildSerializer: refuseRouteSchemas };

export async function createHttp(config: Config, deps: HttpDeps): Promise<Http> {
  const { addresses, clock, log } = deps;
  const server = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    genReqId: () => uuidv7(),
    frameworkErrors: sendFrameworkError,
    http: headerTimeouts(),
    schemaController: { compilersFactory: noRouteSchemas },
    trustProxy: config.trustedProxies ? [...config.trustedProxies] : false,
  });
  server.setErrorHandler(sendError);
  refuseSlowBodies(server, { clock });
  await registerSocketServer(server, { maxFrameBytes: MAX_FRAME_BYTES });
  const { store, live, node, webCalls } = deps;
  const liveCalls = () => live.registry.size;
  const turns = requestTurns(liveCalls);
  beginInTurn(server, { turns, liveCalls });
  registerHealth(server, {
    ready: deps.ready,
    ping: () => store.ping(),
    isDiskFull: () => store.storage.isFull(),
    metrics: live.metrics,
    node,
  });
  registerWebSocket(server, {
    findTokenTeam: (token) => webCalls.findTeam(token),
    redeem: (token) => webCalls.redeem(token),
    nodeId: node.id,
    clock,
    log,
  });
  registerSupervisors(server, { db: store.db, calls: live.registry, clock, log });
  deps.phone.telephone.register(server);
  const acceptRelayed = node.relaySockets(server);
  await server.register(apiOf(config, deps, turns));
  registerRoot(server);
  await registerConsole(server);
  return {
    server,
    async listen() {
      const address = await server.listen({ host: config.host, port: config.port });
      addresses.listeningOn(address);
      acceptRelayed();
      return address;
    },
    async stopListening() {
      server.server.close();
      server.server.closeIdleConnections();
    },
    close: () => closeServer(server, clock),
  };
}

function apiOf(
  {
    adminKey: operatorKey,
    encryptCalls: encryptsCalls,
    openId,
    processes,
    vendors,
  }: Pick<Config, 'adminKey' | 'encryptCalls' | 'openId' | 'processes' | 'vendors'>,
  deps: HttpDeps,
  turns: LoopSlices,
): ReturnType<typeof createApi> {
  const { store, live, outbound, node, work, addresses } = deps;
  const { providers, toolServers } = outbound;
  const { telephone, carriers } = deps.phone;
  const { fileStorage, fileReader, search } = work.knowledge;
  return createApi({
    db: store.db,
    operatorKey,
    audit: deps.audit,
    ...(openId ? { openId: openIdProvider(openId, () => performance.now()) } : {}),
    encryptsCalls,
    control: node.control,
    onRedeliver: () => work.afterCalls.recorded({ webhooksQueued: true, settled: false }),
    monitor: live.registry,
    turns,
    callStarts: live.starts,
    vendors: providers.catalogue,
    vendorProblems: (assistant, team) => providers.problemsOf(assistant, team),
    hasAccount: (vendor) => vendors[environmentName(vendor)]?.apiKey !== undefined,
    vendorTrials: { ...providers.trials, refresh: () => deps.teamVendors.refresh() },
    expectCall: (assistant) => void providers.wake(assistant),
    modelOf: (assistant, teamId, meter) =>
      providers.forAssistant(assistant, { teamId, ...(meter ? { meter } : {}) }).llm,
    recordings: createRecordingReader(store.callFiles, store.recordingsDir),
    jobs: work.jobs,
    testReader: work.testReader,
    prices: deps.prices,
    fileStorage,
    knowledge: search,
    fileReader,
    ready: deps.takesCalls,
    hasRoom: () => node.capacity.isAnywhere(),
    serviceFigures: createServiceFigures({
      ...{ store, node, audit: deps.audit, jobs: work.jobs },
      wanted: processes,
    }),
    carriers,
    dialer: telephone.dialer,
    numbersChanged: () => telephone.numbersChanged(),
    carrierBaseUrl: addresses.configured,
    publicUrl: addresses.publicUrl,
    toolServers,
  });
}
