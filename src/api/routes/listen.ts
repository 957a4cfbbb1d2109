import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CredentialWatch } from '../../calls/credential-watch.ts';
import type { Contract } from '../../contract/contract.ts';
import { Problem } from '../../contract/errors.ts';
import { networkOf } from '../../lib/network-of.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { SharedPlaces } from '../../lib/tally.ts';
import { getCall } from '../../store/calls.ts';
import { createMediaToken, redeemMediaToken } from '../../store/media-tokens.ts';
import { actorOf } from '../audit/note-requests.ts';
import { holderOf, type Principal, unauthorized } from '../auth.ts';
import { ListenSocket, listenPlaces } from '../calls/listen-socket.ts';
import type { ApiDeps, ApiLimits } from '../deps.ts';
import { principalOf, type Routing, readInput, sendJson, serve, teamOf } from '../route.ts';

type ListenDeps = Pick<ApiDeps, 'audit' | 'clock' | 'db' | 'monitor' | 'publicUrl' | 'listeners'>;

/** Serves tokens for listening to a call, which stand for an API key once. */
export function listenTokenRoutes(
  routing: Routing,
  operations: Contract['calls'],
  deps: ListenDeps & { readonly now: () => number; readonly limits: ApiLimits },
): void {
  const { db, publicUrl, now, limits } = deps;
  serve(routing, operations.listenToken, async ({ teamId, params, request }) => {
    const call = await getLiveCall(deps, { teamId, id: params.id });
    const { token, expiresAt } = await createMediaToken(db, {
      callId: call.id,
      purpose: 'listen',
      holder: holderOf(principalOf(request)),
      expiresAt: new Date(now() + limits.mediaTokenMs),
    });
    const address = publicUrl(request).replace(/^http/, 'ws');
    return {
      url: `${address}${operations.listen.path.replace('{id}', call.id)}?token=${token}`,
      token,
      expiresAt: expiresAt.toISOString(),
    };
  });
}

/** Serves tokens for speaking with the caller of a call. */
export function takeOverTokenRoutes(
  routing: Routing,
  operations: Contract['calls'],
  deps: ListenDeps & { readonly now: () => number; readonly limits: ApiLimits },
): void {
  const { db, publicUrl, now, limits } = deps;
  serve(routing, operations.takeOver, async ({ teamId, params, request }) => {
    const call = await getLiveCall(deps, { teamId, id: params.id });
    const { token, expiresAt } = await createMediaToken(db, {
      ...{ callId: call.id, purpose: 'take-over', holder: holderOf(principalOf(request)) },
      expiresAt: new Date(now() + limits.mediaTokenMs),
      // The process of the call has its sound.
      ...(call.nodeId === null ? {} : { node: { id: call.nodeId, isOnly: true } }),
    });
    const address = publicUrl(request).replace(/^http/, 'ws');
    return {
      url: `${address}/media/take-over/${token}`,
      token,
      expiresAt: expiresAt.toISOString(),
    };
  });
}

/** Adds the sockets of listeners. The scope authenticates requests by API key or token. */
export function listenRoutes(
  app: FastifyInstance,
  operation: Contract['calls']['listen'],
  deps: ListenDeps,
): void {
  const places = new SharedPlaces({ ...listenPlaces, ...deps.listeners });
  const { audit, db, clock = systemClock } = deps;
  const watch = new CredentialWatch({ db, clock, log: app.log, least: 'reviewer' });
  app.addHook('onClose', async () => watch.close());
  const idOf = (request: FastifyRequest) => readInput(operation, request).params.id;
  app.route({
    method: operation.method,
    url: operation.path.replace('{id}', ':id'),
    config: { operation },
    // Before the upgrade, so that errors are normal HTTP responses.
    preHandler: async (request) => {
      await getLiveCall(deps, { teamId: teamOf(request), id: idOf(request) });
    },
    handler: async (request, reply) => {
      sendJson(reply, { callId: idOf(request), encoding: 'pcm_s16le', channels: 2 });
      return reply;
    },
    wsHandler: (socket, request) => {
      const listener = new ListenSocket(socket);
      const address = networkOf(request.ip);
      if (!listener.admit(places, { teamId: teamOf(request), address })) return;
      const principal = principalOf(request);
      const holder = holderOf(principal);
      if (holder) {
        const unwatch = watch.add({ holder, end: () => listener.dismiss() });
        socket.once('close', unwatch);
      }
      const about = { action: operation.id, subject: idOf(request), outcome: 'done' } as const;
      audit?.note({
        ...{ chain: principal.teamId, actor: actorOf(principal), ...about },
        ...{ address: request.ip, requestId: request.id },
      });
      listener.begin(deps.monitor, idOf(request));
    },
  });
}

/** Authenticates a listener's token, which is valid only for the call in the URL; undefined without a token. */
export async function authenticateListener(
  db: ApiDeps['db'],
  request: FastifyRequest,
): Promise<Principal | undefined> {
  const { token } = request.query as { token?: unknown };
  if (typeof token !== 'string' || request.headers.authorization !== undefined) return undefined;
  const redeemed = await redeemMediaToken(db, { token, purpose: 'listen' });
  const { id } = request.params as { readonly id?: string };
  if (!redeemed || redeemed.callId !== id) throw unauthorized();
  // The token was given to somebody who may listen.
  return {
    teamId: redeemed.teamId,
    role: 'reviewer',
    token: redeemed.holder ? { holder: redeemed.holder } : {},
  };
}

async function getLiveCall(
  { db }: Pick<ApiDeps, 'db'>,
  params: { readonly teamId: string; readonly id: string },
) {
  const call = await getCall(db, params);
  if (call.endAt === null && call.status !== 'finished') return call;
  throw new Problem({ kind: 'not-live', message: 'The call has ended', data: { success: false } });
}
