import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageName } from './console-file.ts';
import { loadPage } from './console-files.ts';

/** An image may be opened as a document too. */
const DOCUMENT = /\.(?:html|svg)$/;
const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:]+\](?::\d+)?$/i;

const COMMON = {
  // Browsers cache files but revalidate them, so a new version takes effect at once.
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
} as const;

const HEADERS: Readonly<Record<PageName, Readonly<Record<string, string>>>> = {
  console: { ...COMMON, 'cross-origin-resource-policy': 'same-origin' },
  // Pages of any site may have the widget's scripts.
  widget: {
    ...COMMON,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  },
};

/** What browsers heed of a document alone: with each script it would be a third of what a small one weighs. */
const documentHeaders = (page: PageName, host: string): Readonly<Record<string, string>> => ({
  'content-security-policy': contentSecurityPolicy(host),
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  ...(page === 'console' ? { 'cross-origin-opener-policy': 'same-origin' } : {}),
});

/** The response at the root for programs; the addresses are relative to it. */
const CARD = {
  name: 'Parley',
  console: 'console/',
  docs: 'docs',
  openapi: 'openapi.json',
  ready: 'readyz',
} as const;

/** Redirects browsers from `/` to the console; other clients get a list of addresses. */
export function registerRoot(app: FastifyInstance): void {
  app.get('/', { logLevel: 'warn' }, (request, reply) => {
    reply.header('vary', 'accept');
    const isBrowser = /\btext\/html\b/.test(request.headers.accept ?? '');
    return isBrowser ? reply.redirect('console/', 302) : reply.send(CARD);
  });
}

/** Serves the console at `/console/` and the widget at `/widget/`; each is built at the first visit. */
export async function registerConsole(app: FastifyInstance): Promise<void> {
  for (const page of ['console', 'widget'] as const)
    app.get(`/${page}/*`, { logLevel: 'warn' }, serverOf(page));
  app.get('/console', { logLevel: 'warn' }, (_request, reply) => reply.redirect('console/', 308));
}

function serverOf(page: PageName) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const name = (request.params as { '*'?: string })['*'] || 'index.html';
    const file = (await loadPage(page)).get(name);
    if (!file) return reply.code(404).send({ message: 'There is no such file' });
    reply.headers(HEADERS[page]);
    if (DOCUMENT.test(name)) reply.headers(documentHeaders(page, request.host));
    reply.header('etag', file.etag).type(file.contentType);
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(file.body);
    return reply.header('content-encoding', 'br').send(await file.brotli());
  };
}

// Not every browser applies 'self' to WebSockets of the page's own host.
function contentSecurityPolicy(host: string): string {
  const sockets = HOST.test(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "media-src 'self' blob:",
    `connect-src 'self'${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
