import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { sendJson } from '../route.ts';

const REFERENCE_OPTIONS = {
  routePrefix: '/docs',
  configuration: {
    url: '/openapi.json',
    pageTitle: 'Parley API',
    // Nothing is fetched from, or told to, anybody else.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    authentication: { preferredSecurityScheme: 'bearer' },
    agent: { disabled: true },
    mcp: { disabled: true },
  },
} as const;

/** The API's description, for machines at `/openapi.json` and for people at `/docs`; open to all. */
export function documentRoutes(describe: () => OpenApiDocument): FastifyPluginAsync {
  let document: OpenApiDocument | undefined;
  let reference: Promise<FastifyInstance> | undefined;
  return async (app) => {
    app.get('/openapi.json', async (_request, reply) => {
      document ??= describe();
      sendJson(reply, document);
      return reply;
    });
    for (const url of ['/docs', '/docs/*']) {
      app.get(url, async (request, reply) => {
        reference ??= openReference();
        const pages = await reference;
        reply.hijack();
        pages.routing(request.raw, reply.raw);
      });
    }
    app.addHook('onClose', async () => {
      await (await reference)?.close();
    });
  };
}

/** The reader's pages weigh tens of megabytes in memory: they are loaded for their first reader. */
async function openReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = Fastify();
  await pages.register(scalar, REFERENCE_OPTIONS);
  await pages.ready();
  return pages;
}
