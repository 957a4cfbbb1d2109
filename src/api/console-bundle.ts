import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

/** A file of the console, ready to be served. */
export interface ConsoleFile {
  readonly contentType: string;
  readonly body: Uint8Array;
  /** The body compressed for browsers that accept brotli, as all do over TLS and on localhost. */
  readonly brotli: Uint8Array;
  readonly etag: string;
}

const ROOT = join(import.meta.dirname, '../console');
/** Entry points: the page, and the scripts that run on the audio thread. */
const ENTRIES = [
  'app.tsx',
  '../web-client/capture-processor.ts',
  '../web-client/playback-processor.ts',
];
const STATIC = ['index.html', 'icon.svg'];
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Builds the console in memory and returns its files by the names they are served under. Takes a fraction of a second.
 */
export async function bundleConsole(): Promise<ReadonlyMap<string, ConsoleFile>> {
  // Loaded at the first visit, since most starts of the service do not need it.
  const esbuild = await import('esbuild');
  try {
    const { outputFiles } = await esbuild.build({
      entryPoints: ENTRIES.map((name) => join(ROOT, name)),
      outdir: ROOT,
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      minify: true,
      write: false,
      logLevel: 'silent',
      entryNames: '[name]',
      chunkNames: '[name]-[hash]',
    });
    const statics = await Promise.all(
      STATIC.map(async (name) => ({ path: name, contents: await readFile(join(ROOT, name)) })),
    );
    const files = await Promise.all(
      [...outputFiles, ...statics].map(async ({ path, contents }) => {
        const name = basename(path);
        return [name, await toServed(name, contents)] as const;
      }),
    );
    return new Map(files);
  } finally {
    // Ends the child process of esbuild.
    await esbuild.stop();
  }
}

async function toServed(name: string, body: Uint8Array): Promise<ConsoleFile> {
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return {
    contentType: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    body,
    brotli: await promisify(brotliCompress)(body, { params: quality }),
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  };
}
