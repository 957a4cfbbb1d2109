import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildLibrary } from '../../packaging/libraries.ts';
import { npm } from '../../packaging/npm.ts';
import { docSamples } from './doc-samples.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';
import type { ServiceApi } from './service-process.ts';

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript' };

/** A folder in which nothing is but the packages for those who build on Parley. */
export async function installLibraries(): Promise<{ readonly folder: string } & AsyncDisposable> {
  const root = await mkdtemp(join(tmpdir(), 'parley-libraries-'));
  const folder = join(root, 'empty');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const tarballs = [await buildLibrary('client', root), await buildLibrary('web', root)];
  await npm(folder, 'install', '--offline', ...tarballs);
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** What the samples of the documentation read from the environment. */
export async function sampleEnvironment(service: ServiceApi) {
  const [assistant] = await service.json<{ _id: string }[]>('/assistants/v1/assistants');
  return {
    PARLEY_URL: service.url,
    PARLEY_KEY: service.key,
    PARLEY_ASSISTANT: assistant?._id ?? '',
  };
}

/** Serves the page of ten lines of docs/web.md, with the handler that stands below it. */
export async function serveTenLines(folder: string, service: ServiceApi): Promise<LocalServer> {
  const [page = ''] = docSamples('web.md', 'html');
  const [handler = ''] = docSamples('web.md', 'js');
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'handler.js'), handler);
  const environment = await sampleEnvironment(service);
  Object.assign(process.env, environment);
  const { answerCall } = (await import(pathToFileURL(join(folder, 'handler.js')).href)) as {
    answerCall: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  };
  // Another object in its place would no longer be the environment: `os.tmpdir()` reads the real one.
  for (const name of Object.keys(environment)) delete process.env[name];
  return startLocalServer(async (request, response) => {
    if (request.method === 'POST') return answerCall(request, response);
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const body = await readFile(join(folder, path)).catch(() => undefined);
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain';
    response.writeHead(body ? 200 : 404, { 'content-type': type }).end(body);
  });
}
