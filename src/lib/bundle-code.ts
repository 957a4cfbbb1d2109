import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';

interface BundleOptions {
  /** The module that is started, absolute. */
  readonly entry: string;
  readonly folder: string;
  /** Without the space between words, for a bundle that is shipped. */
  readonly compact?: boolean;
  /** Addresses, as imports name them, that are not there or stay what they are. */
  readonly external?: readonly string[];
}

/** Packages with native code or with files beside their code: they are loaded from where they are installed. */
const UNBUNDLED: readonly string[] = [
  ...[
    '@echogarden/speex-resampler-wasm',
    '@node-rs/argon2',
    'esbuild',
    'libphonenumber-geo-carrier',
    'mammoth',
    'minimp3-wasm',
  ],
  ...['onnxruntime-node', 'onnxruntime-web', 'sherpa-onnx-node', 'soundswallower', 'unpdf'],
];

/** For each file that went into a bundle its path from the bundle, when it was changed (ms) and its size. */
export type BundleInputs = readonly (readonly [path: string, changedAtMs: number, bytes: number])[];

/**
 * Makes one file of all that the entry imports, and one for each part that is loaded later: Node spends a third of a start
 * on finding, reading and linking some 1,600 files. Modules keep the address that they had, by which threads and files beside
 * them are found. Returns what went into it. Takes a second or two.
 */
export async function bundleCode({
  entry,
  folder,
  compact,
  external,
}: BundleOptions): Promise<BundleInputs> {
  const inputs: [string, number, number][] = [];
  await build({
    entryPoints: [entry],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.18',
    outExtension: { '.js': '.mjs' },
    external: [...UNBUNDLED, ...(external ?? [])],
    nodePaths: [join(import.meta.dirname, '../../node_modules')],
    // What Node would load, and no variant that is for bundlers.
    conditions: [],
    mainFields: ['main'],
    legalComments: 'none',
    logLevel: 'error',
    ...(compact ? { minifySyntax: true, minifyWhitespace: true, lineLimit: 160 } : {}),
    banner: { js: BANNER },
    define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
    plugins: [addressesKept(folder, (...input) => inputs.push(input))],
  });
  return inputs;
}

/** For modules that are not ESM, and for the addresses of those that are. */
const BANNER = `import { createRequire as requireBundled } from 'node:module'; import { join as joinBundled } from 'node:path'; const require = requireBundled(import.meta.url);`;

function addressesKept(
  folder: string,
  onInput: (path: string, changedAtMs: number, bytes: number) => void,
): Plugin {
  return {
    name: 'addresses',
    setup({ onLoad }) {
      onLoad({ filter: /\.(?:[mc]?js|ts|json)$/ }, async ({ path }) => {
        // Before it is read: who changes it meanwhile changes it later.
        const { mtimeMs, size } = await stat(path);
        const code = await readFile(path, 'utf8');
        const fromBundle = relative(folder, path).replaceAll('\\', '/');
        onInput(fromBundle, mtimeMs, size);
        if (path.endsWith('.json')) return { contents: code, loader: 'json' };
        const file = JSON.stringify(fromBundle);
        const beside = JSON.stringify(dirname(fromBundle));
        return {
          contents: code
            .replaceAll('import.meta.url', `new URL(${file}, import.meta.url).href`)
            .replaceAll('import.meta.dirname', `joinBundled(import.meta.dirname, ${beside})`),
          loader: path.endsWith('.ts') ? 'ts' : 'js',
        };
      });
    },
  };
}
