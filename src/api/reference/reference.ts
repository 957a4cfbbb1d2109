import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createBrotliDecompress } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { ComputePool } from '../../lib/compute-pool.ts';
import type { ReferencePages } from './build-reference.ts';

const ENTRY = new URL('./reference-thread.ts', import.meta.url);
/** Where the npm package has the files, made when it was built. */
const BUILT = new URL('./built/', import.meta.url);
const DEADLINE_MS = 60_000;

/**
 * Serves the reader of the API's description at `/docs/`. It is loaded at the first visit and on a thread, since that
 * takes an eighth of a second and tens of megabytes of memory.
 */
export function registerReference(app: FastifyInstance): void {
  const pool = new ComputePool<null, ReferencePages>({ entry: ENTRY, threads: 1 });
  app.addHook('onClose', async () => pool.close());
  let loaded: Promise<ReferencePages> | undefined;
  const load = (): Promise<ReferencePages> => {
    if (loaded) return loaded;
    const made = existsSync(BUILT)
      ? readBuilt()
      : pool.run(null, { team: '', deadlineMs: DEADLINE_MS });
    loaded = made.catch((error: unknown) => {
      // The next visit tries again.
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  app.get('/docs', (_request, reply) => reply.redirect('docs/', 301));
  app.get('/docs/', async (_request, reply) => {
    const { html } = await load();
    return reply.type('text/html; charset=utf-8').send(html);
  });
  app.get('/docs/js/scalar.js', async (request, reply) => {
    const { script } = await load();
    reply.type('application/javascript; charset=utf-8').header('vary', 'accept-encoding');
    if (/\bbr\b/.test(request.headers['accept-encoding'] ?? ''))
      return reply.header('content-encoding', 'br').send(script);
    return reply.send(Readable.from([script]).pipe(createBrotliDecompress()));
  });
}

async function readBuilt(): Promise<ReferencePages> {
  const [html, script] = await Promise.all([
    readFile(new URL('index.html', BUILT), 'utf8'),
    readFile(new URL('scalar.js.br', BUILT)),
  ]);
  return { html, script };
}
