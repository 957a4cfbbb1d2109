import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { createContract } from '../contract/contract.ts';
import { RateLimiter } from '../lib/rate-limiter.ts';
import { systemClock } from '../lib/system-clock.ts';
import { noteRequests } from './audit/note-requests.ts';
import { Authenticator, type Principal, refuseTooMany, refuseUnlessAllowed } from './auth.ts';
import { calendarFeed } from './calendars/feed.ts';
import { compressJson } from './compress-json.ts';
import { type ApiDeps, defaultLimits } from './deps.ts';
import { sendError } from './framework-errors.ts';
import { acceptJsonBodies, type TeamBodies } from './json-body.ts';
import { LargeBodies } from './large-bodies.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { operatorCheck } from './operator-auth.ts';
import { openIdCallback } from './people/open-id-sign-in.ts';
import { refuseOtherSites } from './people/session-cookie.ts';
import { SignIn } from './people/sign-in.ts';
import { requestTurns } from './request-turns.ts';
import { type Routing, teamOf } from './route.ts';
import { accountRoutes } from './routes/account.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { assistantTestRoutes } from './routes/assistant-tests.ts';
import { assistantRoutes } from './routes/assistants.ts';
import { auditRoutes, serviceAuditRoutes } from './routes/audit.ts';
import { calendarRoutes } from './routes/calendars.ts';
import { callRoutes } from './routes/calls.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { doNotCallRoutes } from './routes/do-not-call.ts';
import { documentRoutes } from './routes/documents.ts';
import { faqRoutes } from './routes/faq.ts';
import { fileRoutes } from './routes/files.ts';
import { handsetRoutes } from './routes/handsets.ts';
import { healthRoutes } from './routes/health.ts';
import { knowledgeBaseRoutes } from './routes/knowledge-bases.ts';
import {
  authenticateListener,
  listenRoutes,
  listenTokenRoutes,
  takeOverTokenRoutes,
} from './routes/listen.ts';
import { numberRoutes } from './routes/numbers.ts';
import { peopleRoutes } from './routes/people.ts';
import { privacyRoutes } from './routes/privacy.ts';
import { publicCallRoutes, publicKeyRoutes } from './routes/public-keys.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { statisticsRoutes } from './routes/statistics.ts';
import { teamRoutes } from './routes/teams.ts';
import { toolRoutes } from './routes/tools.ts';
import { vendorRoutes } from './routes/vendors.ts';
import { waitListRoutes } from './routes/wait-lists.ts';
import { whatIfRoutes } from './routes/what-if.ts';
import { answerUnknownAddresses } from './unknown-addresses.ts';

/** A team's own rate; ten seconds of it may come at once. */
const ownRate = (perSecond: number) => ({
  perSecond: Math.max(1, perSecond),
  burst: Math.max(1, perSecond) * 10,
});

/** The REST API as a Fastify plugin. */
export function createApi(deps: ApiDeps): FastifyPluginAsync {
  const now = deps.now ?? Date.now;
  // Rate limits use the monotonic clock, so that an adjusted wall clock does not affect them.
  const steady = deps.now ?? (() => performance.now());
  const limits = { ...defaultLimits, ...deps.limits };
  const contract = createContract(deps.vendors);
  return async (app) => {
    app.decorateRequest('principal', null);
    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-request-id', request.id);
    });
    app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
    answerUnknownAddresses(app, limits.bodyBytes);
    await app.register(documentRoutes(deps.vendors));
    await app.register(calendarFeed({ db: deps.db }));
    const authenticator = new Authenticator(
      deps.db,
      { steady, now },
      limits.strangers,
      deps.publicUrl,
    );
    const limiter = new RateLimiter(limits.rate, steady);
    const takeTurn = ({ teamId, requestsPerSecond: own }: Principal) =>
      limiter.take(teamId, own === undefined ? limits.rate : ownRate(own));
    await app.register(async (listening: FastifyInstance) => {
      listening.addHook('onRequest', async (request) => {
        request.principal =
          (await authenticateListener(deps.db, request)) ??
          (await authenticator.authenticate(request));
        refuseTooMany(takeTurn(request.principal));
        refuseUnlessAllowed(request.principal, contract.calls.listen.role);
      });
      listenRoutes(listening, contract.calls.listen, deps);
    });
    const slices = deps.turns ?? requestTurns(() => 0);
    const bounds = { maxDepth: limits.jsonDepth, maxValues: limits.jsonValues };
    const acceptBodies = (scope: FastifyInstance, teams?: TeamBodies): void => {
      acceptJsonBodies(scope, bounds, teams);
      scope.addHook('onRoute', (route) => {
        route.bodyLimit ??= limits.bodyBytes;
      });
    };
    const signIn = new SignIn({
      ...{ ...deps, now, steady },
      limits: limits.signIns,
      strangers: limits.strangers,
    });
    await app.register(async (open: FastifyInstance) => {
      acceptBodies(open);
      open.addHook('onRequest', async (request) =>
        refuseOtherSites(request, deps.publicUrl(request)),
      );
      signInRoutes({ app: open }, contract.signIn, { ...deps, signIn, now });
    });
    await app.register(async (anywhere: FastifyInstance) => {
      acceptBodies(anywhere);
      publicCallRoutes(anywhere, contract.publicCalls, {
        ...{ ...deps, now, steady, limits },
        assistantSchema: contract.assistants.create.body,
      });
    });
    const { openId } = deps;
    if (openId)
      await app.register(async (scope) => openIdCallback(scope, { ...deps, openId, signIn, now }));
    const { operatorKey } = deps;
    if (operatorKey !== undefined) {
      await app.register(async (operator: FastifyInstance) => {
        acceptBodies(operator);
        const check = operatorCheck(operatorKey, steady, limits.strangers);
        operator.addHook('onRequest', async (request) => check(request));
        if (deps.audit) noteRequests(operator, deps.audit);
        serviceAuditRoutes({ app: operator, db: deps.db }, contract.serviceAudit);
        teamRoutes({ app: operator }, contract.teams, { ...deps, now });
      });
    }
    await app.register(async (secured: FastifyInstance) => {
      const inTurn = (request: FastifyRequest) => slices.next(teamOf(request));
      const large = new LargeBodies({ bounds, vendors: deps.vendors, inTurn, clock: systemClock });
      secured.addHook('onClose', async () => large.close());
      acceptBodies(secured, { inTurn, read: (bytes, request) => large.read(bytes, request) });
      secured.addHook('onRequest', async (request) => {
        request.principal = await authenticator.authenticate(request);
        refuseTooMany(takeTurn(request.principal));
        const { operation } = request.routeOptions.config;
        if (operation) refuseUnlessAllowed(request.principal, operation.role);
      });
      compressJson(secured);
      if (deps.audit) noteRequests(secured, deps.audit);
      // What a team asks for begins in its turn, so that calls keep most of the thread however many requests come.
      secured.addHook('preHandler', inTurn);
      mcpRoutes(secured, contract, deps.vendors);
      const routing: Routing = { app: secured, db: deps.db, slices };
      apiKeyRoutes(routing, contract.apiKeys, { db: deps.db, authenticator, now });
      publicKeyRoutes(routing, contract.publicKeys, deps);
      auditRoutes(routing, contract.audit);
      peopleRoutes(routing, contract.people, { ...deps, authenticator, now });
      accountRoutes(routing, contract.account, { db: deps.db, signIn, authenticator, now });
      assistantRoutes(routing, contract.assistants, deps);
      toolRoutes(routing, contract.tools, deps);
      calendarRoutes(routing, contract.calendars, { ...deps, now });
      waitListRoutes(routing, contract.waitLists, deps);
      assistantTestRoutes(routing, contract.assistantTests, deps);
      numberRoutes(routing, contract.numbers, { ...deps, now });
      knowledgeBaseRoutes(routing, contract.knowledgeBases, deps);
      faqRoutes(routing, contract.knowledgeBases, deps);
      fileRoutes(routing, contract.files, deps);
      deliveryRoutes(routing, contract.deliveries, { ...deps, now });
      handsetRoutes(routing, contract.handsets, { ...deps, now, limits });
      vendorRoutes(routing, contract.vendors, deps);
      healthRoutes(routing, contract.health, { ...deps, now });
      statisticsRoutes(routing, contract.statistics, { ...deps, now });
      privacyRoutes(routing, contract.privacy, { ...deps, now });
      doNotCallRoutes(routing, contract.doNotCall, { ...deps, now });
      listenTokenRoutes(routing, contract.calls, { ...deps, now, limits });
      takeOverTokenRoutes(routing, contract.calls, { ...deps, now, limits });
      callRoutes(routing, contract.calls, {
        ...deps,
        now,
        limits,
        assistantSchema: contract.assistants.create.body,
      });
      whatIfRoutes(routing, contract.whatIf, {
        ...{ ...deps, steady },
        assistantSchema: contract.assistants.create.body,
      });
    });
  };
}
