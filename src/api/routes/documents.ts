import scalar from '@scalar/fastify-api-reference';
import type { FastifyPluginAsync } from 'fastify';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { sendJson } from '../route.ts';

/** The API's description, for machines at `/openapi.json` and for people at `/docs`; open to all. */
export function documentRoutes(describe: () => OpenApiDocument): FastifyPluginAsync {
  let document: OpenApiDocument | undefined;
  return async (app) => {
    app.get('/openapi.json', async (_request, reply) => {
      document ??= describe();
      sendJson(reply, document);
      return reply;
    });
    await app.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Parley API',
        // Nothing is fetched from, or told to, anybody else.
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    });
  };
}
