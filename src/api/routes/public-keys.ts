import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { connectPublicCall } from '../../calls/public-calls.ts';
import { publicRefusal } from '../../calls/public-refusal.ts';
import type { AssistantConfig } from '../../contract/assistant.ts';
import type { Contract } from '../../contract/contract.ts';
import { invalid, Problem } from '../../contract/errors.ts';
import type { PublicKey } from '../../contract/public-key.ts';
import { networkOf } from '../../lib/network-of.ts';
import { RateLimiter } from '../../lib/rate-limiter.ts';
import type { Db } from '../../store/db.ts';
import {
  createPublicKey,
  deletePublicKey,
  listPublicKeys,
  type PublicKeyRecord,
  updatePublicKey,
} from '../../store/public-keys.ts';
import type { ApiDeps, ApiLimits } from '../deps.ts';
import { servePages } from '../list-route.ts';
import { isOwnPage } from '../people/session-cookie.ts';
import { type Routing, serve, serveTeamless } from '../route.ts';

/** The page that tries a key; what stands after `#` is not sent to the service. */
const DEMO = '/widget/demo.html#';

export function publicKeyRoutes(
  routing: Routing,
  operations: Contract['publicKeys'],
  { db, publicUrl }: Pick<ApiDeps, 'publicUrl'> & { readonly db: Db },
): void {
  servePages(routing, operations.list, {
    read: (params) => listPublicKeys(db, params),
    present: (key, request) => presentPublicKey(key, publicUrl(request)),
  });

  serve(routing, operations.create, async ({ teamId, body, request }) => {
    refuseUseless(body);
    return presentPublicKey(
      await createPublicKey(db, { teamId, config: body }),
      publicUrl(request),
    );
  });

  serve(routing, operations.update, async ({ teamId, params, body, request }) => {
    const change = (before: PublicKeyRecord) => {
      refuseUseless({ ...before, ...body });
      return body;
    };
    const changed = await updatePublicKey(db, { teamId, id: params.id, change });
    return presentPublicKey(changed, publicUrl(request));
  });

  serve(routing, operations.remove, async ({ teamId, params }) => {
    await deletePublicKey(db, { teamId, id: params.id });
    return { id: params.id };
  });
}

/** A key that nobody could use is a mistake. */
function refuseUseless({ origins, demo }: Pick<PublicKeyRecord, 'origins' | 'demo'>): void {
  if (origins.length > 0 || demo) return;
  const message = 'must name a site, unless the demo page may use the key';
  throw invalid([{ path: 'origins', message }]);
}

function presentPublicKey(record: PublicKeyRecord, baseUrl: string): PublicKey {
  const { teamId, origins, createdAt, ...rest } = record;
  return {
    ...rest,
    origins: [...origins],
    ...(rest.demo ? { demoUrl: `${baseUrl}${DEMO}${rest.key}` } : {}),
    createdAt: createdAt.toISOString(),
  };
}

type PublicCallDeps = Omit<ApiDeps, 'now' | 'limits'> & {
  readonly now: () => number;
  /** Monotonic, ms. */
  readonly steady: () => number;
  readonly limits: ApiLimits;
  readonly assistantSchema: z.ZodType<AssistantConfig>;
};

/** For pages of any site; no credential but the public key means anything here, so that every origin may read answers. */
export function publicCallRoutes(
  app: FastifyInstance,
  operations: Contract['publicCalls'],
  deps: PublicCallDeps,
): void {
  const strangers = new RateLimiter(deps.limits.strangers, deps.steady);
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', 'retry-after, x-request-id');
    reply.header('cache-control', 'no-store');
  });
  app.options(operations.connect.path, async (_request, reply) =>
    reply
      .code(204)
      .header('access-control-allow-methods', 'POST')
      .header('access-control-allow-headers', 'content-type')
      .header('access-control-max-age', '86400')
      .send(),
  );
  serveTeamless({ app }, operations.connect, async ({ body, request }) => {
    if (strangers.take(networkOf(request.ip)) > 0) throw publicRefusal('too-many-requests');
    const { origin } = request.headers;
    const baseUrl = deps.publicUrl(request);
    const isOwn = isOwnPage(request, baseUrl);
    try {
      return await connectPublicCall(deps, { key: body.key, origin, isOwn, baseUrl });
    } catch (error) {
      // The team is not told by the visitor what is wrong with its assistant.
      if (error instanceof Problem && error.cause !== undefined)
        request.log.warn({ err: error.cause, origin }, 'a page of another site got no call');
      throw error;
    }
  });
}
