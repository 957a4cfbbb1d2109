import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { VendorCatalogue } from '../../contract/vendors.ts';
import { ComputePool } from '../../lib/compute-pool.ts';
import { namesTag } from '../entity-tag.ts';
import type { DescriptionTask, ServedDescription } from '../reference/description-thread.ts';
import { registerReference } from '../reference/reference.ts';
import { JSON_TYPE } from '../route.ts';

const ENTRY = new URL('../reference/description-thread.ts', import.meta.url);
const DEADLINE_MS = 60_000;

/** The schemas from which the console makes its forms. */
const FORMS = ['AssistantInput', 'ToolInput', 'CalendarInput', 'WaitListInput'] as const;

/**
 * Serves the API's description at `/openapi.json`, single schemas of it at `/schemas` and its documentation at `/docs`,
 * without authentication. Each is made at the first request and on a thread: single schemas take a twentieth of a
 * second.
 */
export function documentRoutes(vendors: VendorCatalogue): FastifyPluginAsync {
  return async (app) => {
    const pool = new ComputePool<DescriptionTask, ServedDescription>({ entry: ENTRY, threads: 1 });
    app.addHook('onClose', async () => pool.close());
    const serverOf = (schema?: string) => {
      let made: Promise<ServedDescription> | undefined;
      return async (request: FastifyRequest, reply: FastifyReply) => {
        made ??= pool
          .run({ vendors, schema }, { team: '', deadlineMs: DEADLINE_MS })
          .catch((error) => {
            // The next request tries again.
            made = undefined;
            throw error;
          });
        const { json, brotli, tag } = await made;
        reply.headers({ etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
        const known = request.headers['if-none-match'];
        if (known !== undefined && namesTag(known, tag)) return reply.code(304).send();
        const isCompressed = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
        if (isCompressed) reply.header('content-encoding', 'br');
        return reply.type(JSON_TYPE).send(isCompressed ? brotli : json);
      };
    };
    app.get('/openapi.json', serverOf());
    for (const schema of FORMS) app.get(`/schemas/${schema}.json`, serverOf(schema));
    registerReference(app);
  };
}
