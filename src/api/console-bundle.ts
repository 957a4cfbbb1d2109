import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import * as esbuild from 'esbuild';
import { type ConsoleFile, type PageName, servedFile } from './console-file.ts';
import { buildSharedFirst } from './shared-first.ts';

interface Page {
  /** Folder of the sources. */
  readonly root: string;
  /** The module of a page whose parts are loaded when they are wanted. */
  readonly entry?: string;
  readonly entries: readonly string[];
  readonly statics: readonly string[];
}

/** The scripts that run on the audio thread. */
const AUDIO = ['../web-client/capture-processor.ts', '../web-client/playback-processor.ts'];
const PAGES: Readonly<Record<PageName, Page>> = {
  console: {
    root: join(import.meta.dirname, '../console'),
    entry: 'app.tsx',
    entries: AUDIO,
    statics: ['index.html', 'icon.svg'],
  },
  widget: {
    root: join(import.meta.dirname, '../widget'),
    entries: ['parley-call.ts', 'demo.ts', ...AUDIO],
    statics: ['demo.html', 'demo.css'],
  },
};

const OPTIONS = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  logLevel: 'silent',
} as const satisfies esbuild.BuildOptions;

/** Builds a page in memory and returns its files by the names they are served under. Takes some seconds of computing. */
export async function bundlePage(name: PageName): Promise<ReadonlyMap<string, ConsoleFile>> {
  const { root, entry, entries, statics } = PAGES[name];
  try {
    const { outputFiles } = await esbuild.build({
      ...OPTIONS,
      entryPoints: entries.map((path) => join(root, path)),
      outdir: root,
      write: false,
    });
    const parts = entry ? await buildSharedFirst({ root, entry, options: OPTIONS }) : [];
    const others = await Promise.all(
      statics.map(async (file) => ({ path: file, contents: await readFile(join(root, file)) })),
    );
    const files = [...outputFiles, ...parts, ...others].map(({ path, contents }) => {
      const file = basename(path);
      return [file, toServed(file, contents)] as const;
    });
    return new Map(files);
  } finally {
    // Ends the child process of esbuild.
    await esbuild.stop();
  }
}

/** Compressed once it is asked for: who opens a page wants a tenth of the files. */
function toServed(name: string, body: Uint8Array): ConsoleFile {
  // The best: a seventh less than at half the time.
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  let compressed: Promise<Uint8Array> | undefined;
  const brotli = () => {
    compressed ??= promisify(brotliCompress)(body, { params });
    return compressed;
  };
  return servedFile(name, { body, brotli });
}
