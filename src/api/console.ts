import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const ROOT = join(import.meta.dirname, '../console');
const SERVED = /^\/(?:[a-z0-9-]+\/)*[a-z0-9-]+\.(?:html|js|css|svg)$/;
const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:]+\](?::\d+)?$/i;

const HEADERS = {
  // Everything may be kept, and is asked for again: a new version is seen at once.
  'cache-control': 'no-cache',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Serves the console at `/console/`: the page's own files and nothing else of its folder. */
export async function registerConsole(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onSend', async (request, reply) => {
      reply.headers(HEADERS).header('content-security-policy', contentSecurityPolicy(request.host));
    });
    await scope.register(fastifyStatic, {
      root: ROOT,
      prefix: '/console/',
      cacheControl: false,
      dotfiles: 'ignore',
      allowedPath: (path) => path === '/' || SERVED.test(path),
      logLevel: 'warn',
    });
    scope.get('/console', { logLevel: 'warn' }, (_request, reply) =>
      reply.redirect('console/', 308),
    );
  });
}

// Not every browser takes 'self' for the sockets of the page's own host.
function contentSecurityPolicy(host: string): string {
  const sockets = HOST.test(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self'${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
