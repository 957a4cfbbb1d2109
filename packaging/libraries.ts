import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { npm } from './npm.ts';

const ROOT = join(import.meta.dirname, '..');

interface Library {
  /** Its folder in `src`; `index.ts` there is what it exports. */
  readonly folder: string;
  readonly description: string;
  /** Its page in `docs`, which is its README too. */
  readonly page: string;
  /** Modules that others load by their address. */
  readonly beside: readonly string[];
}

const LIBRARIES: Readonly<Record<'client' | 'web', Library>> = {
  client: {
    folder: 'client',
    description: 'The API of Parley, typed by its OpenAPI document, for Node and browsers.',
    page: 'client.md',
    beside: [],
  },
  web: {
    folder: 'web-client',
    description: 'A call with a Parley assistant in a browser.',
    page: 'web.md',
    beside: ['capture-processor.ts', 'playback-processor.ts'],
  },
};

/** What makes the types of a library; the code is checked by the project's own configuration. */
const DECLARATIONS = [
  '--ignoreConfig',
  '--declaration',
  '--emitDeclarationOnly',
  '--allowImportingTsExtensions',
  '--strict',
  ...['--target', 'ES2024', '--module', 'NodeNext', '--lib', 'ES2024,DOM,DOM.Iterable'],
  ...['--types', ''],
];

/** Writes the package to `out` and packs it beside it; returns the path of the tarball. */
export async function buildLibrary(name: keyof typeof LIBRARIES, out: string): Promise<string> {
  const { folder, description, page, beside } = LIBRARIES[name];
  const source = join(ROOT, 'src', folder);
  const built = join(out, name);
  await rm(built, { recursive: true, force: true });
  await mkdir(built, { recursive: true });
  await build({
    entryPoints: ['index.ts', ...beside].map((module) => join(source, module)),
    outdir: built,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    minify: true,
    logLevel: 'error',
  });
  await writeTypes(source, built);
  const { version, license, engines } = JSON.parse(
    await readFile(join(ROOT, 'package.json'), 'utf8'),
  ) as { readonly version: string; readonly license: string; readonly engines: object };
  const manifest = {
    ...{ name: `@parley/${name}`, version, description, license, type: 'module' },
    ...(name === 'client' ? { engines } : {}),
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './*': './*' },
    types: './index.d.ts',
    sideEffects: false,
  };
  await writeFile(join(built, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await cp(join(ROOT, 'docs', page), join(built, 'README.md'));
  await cp(join(ROOT, 'LICENSE'), join(built, 'LICENSE'));
  const [{ filename } = { filename: '' }] = JSON.parse(
    await npm(built, 'pack', '--json', '--pack-destination', out),
  ) as { readonly filename: string }[];
  return join(out, filename);
}

async function writeTypes(source: string, built: string): Promise<void> {
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  // With what the code takes for granted where it runs.
  const globals = (await readdir(source)).filter((file) => file.endsWith('.d.ts'));
  const entries = ['index.ts', ...globals].map((file) => join(source, file));
  await promisify(execFile)(
    compiler,
    [...entries, ...DECLARATIONS, '--rootDir', source, '--outDir', built],
    { cwd: ROOT, timeout: 120_000 },
  );
  const files = (await readdir(built)).filter((file) => file.endsWith('.d.ts'));
  for (const file of files) {
    const types = await readFile(join(built, file), 'utf8');
    await writeFile(
      join(built, file),
      types.replace(/(from ['"]\.\/[^'"]+)\.ts(?=['"])/g, '$1.js'),
    );
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: join(ROOT, 'out') } },
  });
  for (const name of ['client', 'web'] as const)
    process.stdout.write(`${await buildLibrary(name, values.out)}\n`);
}
