import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { FastifyPluginAsync } from 'fastify';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { finishInTurns } from '../../lib/in-turns.ts';
import type { Steps } from '../../lib/steps.ts';
import { entityTag, namesTag } from '../entity-tag.ts';
import { registerReference } from '../reference/reference.ts';
import { sendJsonText } from '../route.ts';

interface ServedDocument {
  readonly json: string;
  readonly brotli: Buffer;
  readonly tag: string;
}

async function prepare(steps: Steps<OpenApiDocument>): Promise<ServedDocument> {
  const json = JSON.stringify(await finishInTurns(steps));
  return { json, brotli: await promisify(brotliCompress)(json), tag: entityTag(json) };
}

/** Serves the API's description at `/openapi.json` and its documentation at `/docs`, without authentication. */
export function documentRoutes(describe: () => Steps<OpenApiDocument>): FastifyPluginAsync {
  let document: Promise<ServedDocument> | undefined;
  return async (app) => {
    app.get('/openapi.json', async (request, reply) => {
      document ??= prepare(describe());
      const { json, brotli, tag } = await document;
      reply.headers({ etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
      const known = request.headers['if-none-match'];
      if (known !== undefined && namesTag(known, tag)) return reply.code(304).send();
      if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) sendJsonText(reply, json);
      else reply.type('application/json').header('content-encoding', 'br').send(brotli);
      return reply;
    });
    registerReference(app);
  };
}
