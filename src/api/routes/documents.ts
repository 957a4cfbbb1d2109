import type { FastifyPluginAsync } from 'fastify';
import type { VendorCatalogue } from '../../contract/vendors.ts';
import { ComputePool } from '../../lib/compute-pool.ts';
import { namesTag } from '../entity-tag.ts';
import type { ServedDescription } from '../reference/description-thread.ts';
import { registerReference } from '../reference/reference.ts';
import { JSON_TYPE } from '../route.ts';

const ENTRY = new URL('../reference/description-thread.ts', import.meta.url);
const DEADLINE_MS = 60_000;

/**
 * Serves the API's description at `/openapi.json` and its documentation at `/docs`, without authentication. The
 * description is made at the first request and on a thread: single schemas take a twentieth of a second.
 */
export function documentRoutes(vendors: VendorCatalogue): FastifyPluginAsync {
  return async (app) => {
    const pool = new ComputePool<VendorCatalogue, ServedDescription>({ entry: ENTRY, threads: 1 });
    app.addHook('onClose', async () => pool.close());
    let made: Promise<ServedDescription> | undefined;
    const make = (): Promise<ServedDescription> => {
      made ??= pool.run(vendors, { team: '', deadlineMs: DEADLINE_MS }).catch((error: unknown) => {
        // The next request tries again.
        made = undefined;
        throw error;
      });
      return made;
    };
    app.get('/openapi.json', async (request, reply) => {
      const { json, brotli, tag } = await make();
      reply.headers({ etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
      const known = request.headers['if-none-match'];
      if (known !== undefined && namesTag(known, tag)) return reply.code(304).send();
      const isCompressed = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
      if (isCompressed) reply.header('content-encoding', 'br');
      return reply.type(JSON_TYPE).send(isCompressed ? brotli : json);
    });
    registerReference(app);
  };
}
