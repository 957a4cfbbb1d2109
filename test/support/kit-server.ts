import { join } from 'node:path';
import { build } from 'esbuild';
import fastify from 'fastify';

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Kit</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><link rel="stylesheet" href="kit-sample.css"></head>
<body><div id="app"></div><script type="module" src="kit-sample.js"></script></body></html>`;
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:";

/** Serves the kit's sample page under the console's policy. */
export async function serveKit(): Promise<{ readonly url: string } & AsyncDisposable> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../console/kit-sample.tsx')],
    outdir: '.',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    write: false,
    logLevel: 'silent',
  });
  const app = fastify();
  app.addHook('onSend', async (_request, reply) => {
    reply.header('content-security-policy', POLICY);
  });
  app.get('/console/', (_request, reply) => reply.type('text/html').send(PAGE));
  for (const [name, type] of [
    ['kit-sample.js', 'text/javascript'],
    ['kit-sample.css', 'text/css'],
  ] as const) {
    const body = outputFiles.find(({ path }) => path.endsWith(name))?.text;
    app.get(`/console/${name}`, (_request, reply) => reply.type(type).send(body));
  }
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, [Symbol.asyncDispose]: () => app.close() };
}
