import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { createContract, operationsOf } from '../contract/contract.ts';
import { Problem } from '../contract/errors.ts';
import { openApiSteps } from '../contract/openapi.ts';
import { Authenticator, type Principal, refuseTooMany, refuseUnlessAllowed } from './auth.ts';
import { calendarFeed } from './calendars/feed.ts';
import { type ApiDeps, defaultLimits } from './deps.ts';
import { sendError } from './framework-errors.ts';
import { acceptJsonBodies } from './json-body.ts';
import { operatorCheck } from './operator-auth.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { Routing } from './route.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { assistantRoutes } from './routes/assistants.ts';
import { calendarRoutes } from './routes/calendars.ts';
import { callRoutes } from './routes/calls.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { documentRoutes } from './routes/documents.ts';
import { faqRoutes } from './routes/faq.ts';
import { fileRoutes } from './routes/files.ts';
import { handsetRoutes } from './routes/handsets.ts';
import { knowledgeBaseRoutes } from './routes/knowledge-bases.ts';
import { authenticateListener, listenRoutes, listenTokenRoutes } from './routes/listen.ts';
import { numberRoutes } from './routes/numbers.ts';
import { statisticsRoutes } from './routes/statistics.ts';
import { teamRoutes } from './routes/teams.ts';
import { toolRoutes } from './routes/tools.ts';
import { waitListRoutes } from './routes/wait-lists.ts';

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
    app.setNotFoundHandler((request, reply) =>
      sendError(new Problem({ kind: 'missing', message: 'Not found' }), request, reply),
    );
    await app.register(documentRoutes(() => openApiSteps(operationsOf(contract))));
    await app.register(calendarFeed({ db: deps.db }));
    const authenticator = new Authenticator(deps.db, { steady, now }, limits.strangers);
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
    const acceptBodies = (scope: FastifyInstance): void => {
      acceptJsonBodies(scope, { maxDepth: limits.jsonDepth, maxValues: limits.jsonValues });
      scope.addHook('onRoute', (route) => {
        route.bodyLimit ??= limits.bodyBytes;
      });
    };
    const { operatorKey } = deps;
    if (operatorKey !== undefined) {
      await app.register(async (operator: FastifyInstance) => {
        acceptBodies(operator);
        const check = operatorCheck(operatorKey, steady, limits.strangers);
        operator.addHook('onRequest', async (request) => check(request));
        teamRoutes({ app: operator }, contract.teams, { ...deps, now });
      });
    }
    await app.register(async (secured: FastifyInstance) => {
      acceptBodies(secured);
      secured.addHook('onRequest', async (request) => {
        request.principal = await authenticator.authenticate(request);
        refuseTooMany(takeTurn(request.principal));
        const { operation } = request.routeOptions.config;
        if (operation) refuseUnlessAllowed(request.principal, operation.role);
      });
      const routing: Routing = { app: secured, db: deps.db };
      apiKeyRoutes(routing, contract.apiKeys, { db: deps.db, authenticator, now });
      assistantRoutes(routing, contract.assistants, deps);
      toolRoutes(routing, contract.tools, deps);
      calendarRoutes(routing, contract.calendars, { ...deps, now });
      waitListRoutes(routing, contract.waitLists, deps);
      numberRoutes(routing, contract.numbers, deps);
      knowledgeBaseRoutes(routing, contract.knowledgeBases, deps);
      faqRoutes(routing, contract.knowledgeBases, deps);
      fileRoutes(routing, contract.files, deps);
      deliveryRoutes(routing, contract.deliveries, { ...deps, now });
      handsetRoutes(routing, contract.handsets, { ...deps, now, limits });
      statisticsRoutes(routing, contract.statistics, { ...deps, now });
      listenTokenRoutes(routing, contract.calls, { ...deps, now, limits });
      callRoutes(routing, contract.calls, {
        ...deps,
        now,
        limits,
        assistantSchema: contract.assistants.create.body,
      });
    });
  };
}
