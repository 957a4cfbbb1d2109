import { basename, relative } from 'node:path';
import * as esbuild from 'esbuild';

/** What so many parts need, of some fifty, is loaded with the first file: each further file costs a request. */
const SHARED_BY = 8;
/** A larger module is loaded by the parts that need it, bytes of source. */
const MAX_SHARED_BYTES = 30_000;
const FIRST = './app.js';
const FROM_FIRST = /import\{([^{}]*)\}from"\.\/app\.js"/g;
const SHARED = 'shared';

type Inputs = esbuild.Metafile['inputs'];

interface SharedFirst {
  /** Folder of the sources, absolute. */
  readonly root: string;
  /** The module that begins, in `root`; its file is `app.js`. */
  readonly entry: string;
  readonly options: esbuild.BuildOptions;
}

const importsOf = (inputs: Inputs, path: string, kind: esbuild.ImportKind) =>
  (inputs[path]?.imports ?? []).flatMap((one) => (one.kind === kind ? [one.path] : []));

/** The modules that run before this one does, and itself. */
function closureOf(inputs: Inputs, path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const next of importsOf(inputs, path, 'import-statement')) closureOf(inputs, next, found);
  return found;
}

/** The parts that are loaded when they are wanted, and the modules that are in the first file. */
function planOf(inputs: Inputs, entry: string) {
  const parts = new Set(
    Object.keys(inputs).flatMap((path) => importsOf(inputs, path, 'dynamic-import')),
  );
  const first = closureOf(inputs, entry);
  const users = new Map<string, number>();
  for (const part of parts)
    for (const path of closureOf(inputs, part)) users.set(path, (users.get(path) ?? 0) + 1);
  const isShared = (path: string): boolean =>
    first.has(path) ||
    ((users.get(path) ?? 0) >= SHARED_BY && (inputs[path]?.bytes ?? 0) <= MAX_SHARED_BYTES);
  const shared = Object.keys(inputs).filter(
    (path) =>
      !parts.has(path) && !path.endsWith('.css') && [...closureOf(inputs, path)].every(isShared),
  );
  return { parts: [...parts], shared };
}

/**
 * Builds a page whose parts are loaded when they are wanted. esbuild by itself makes a file of the modules of each set of
 * parts, some fifty for a page: here the first file has all that many parts have in common, and exports it to them.
 * The style sheet has the styles of all parts.
 */
export async function buildSharedFirst({ root, entry, options }: SharedFirst) {
  const common = {
    ...options,
    absWorkingDir: root,
    outdir: root,
    splitting: true,
    write: false,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
  } as const satisfies esbuild.BuildOptions;
  const scripts = { ...common, loader: { '.css': 'empty' } } as const;
  const whole = await esbuild.build({
    ...common,
    entryPoints: [entry],
    entryNames: '[name]',
    metafile: true,
  });
  const { inputs } = whole.metafile;
  const { parts, shared } = planOf(inputs, entry);
  const exported = await exportsOf(shared, scripts);
  const found = (importer: string, specifier: string) =>
    inputs[relative(root, importer)]?.imports.find(({ original }) => original === specifier)?.path;

  const late = await esbuild.build({
    ...scripts,
    entryPoints: parts,
    metafile: true,
    plugins: [fromFirst(exported, found)],
  });
  const files = new Map(
    Object.entries(late.metafile.outputs).map(([path, { entryPoint = '' }]) => [
      entryPoint,
      `./${basename(path)}`,
    ]),
  );
  const first = await esbuild.build({
    ...scripts,
    stdin: {
      contents: `import './${entry}';\n${wantedOf(late.outputFiles, exported)}`,
      resolveDir: root,
    },
    entryNames: 'app',
    plugins: [toParts(files, found)],
  });
  const styles = whole.outputFiles.filter(({ path }) => basename(path) === 'app.css');
  return [...first.outputFiles, ...late.outputFiles, ...styles];
}

/** What each shared module exports: by its path, and by its own name the one in the first file. */
type Exported = ReadonlyMap<string, ReadonlyMap<string, string>>;

async function exportsOf(
  paths: readonly string[],
  options: esbuild.BuildOptions,
): Promise<Exported> {
  const { metafile } = await esbuild.build({
    ...options,
    entryPoints: [...paths],
    metafile: true,
  });
  const wanted = new Set(paths);
  const outputs = Object.values(metafile.outputs).filter(
    // What they load when it is wanted has outputs, too.
    ({ entryPoint }) => entryPoint !== undefined && wanted.has(entryPoint),
  );
  let count = 0;
  const named = (exports: readonly string[]) =>
    new Map(exports.map((name) => [name, `s${(count++).toString(36)}`]));
  return new Map(outputs.map(({ entryPoint = '', exports }) => [entryPoint, named(exports)]));
}

type Find = (importer: string, specifier: string) => string | undefined;

/** Imports the shared modules of parts from the first file. */
const fromFirst = (exported: Exported, found: Find): esbuild.Plugin => ({
  name: 'from the first file',
  setup(build) {
    build.onResolve({ filter: /^/ }, ({ path, importer, kind, namespace }) => {
      if (namespace === SHARED) return { path: FIRST, external: true };
      const own = kind === 'import-statement' ? found(importer, path) : undefined;
      if (own === undefined || !exported.has(own)) return undefined;
      // One for each importer: a module that several parts import would be a file of its own.
      const suffix = `?${importer}`;
      return { path: own, suffix, namespace: SHARED, sideEffects: false };
    });
    build.onLoad({ filter: /^/, namespace: SHARED }, ({ path }) => {
      const names = [...(exported.get(path) ?? [])].map(([name, alias]) => `${alias} as ${name}`);
      return { contents: `export { ${names.join(', ')} } from '${FIRST}';` };
    });
  },
});

/** Loads parts from their files, by their paths. */
const toParts = (files: ReadonlyMap<string, string>, found: Find): esbuild.Plugin => ({
  name: 'to the parts',
  setup(build) {
    build.onResolve({ filter: /^/ }, ({ path, importer, kind }) => {
      const own = kind === 'dynamic-import' ? found(importer, path) : undefined;
      const file = own === undefined ? undefined : files.get(own);
      return file === undefined ? undefined : { path: file, external: true };
    });
  },
});

/** Exports of the first file: what parts import from it. */
function wantedOf(parts: readonly esbuild.OutputFile[], exported: Exported): string {
  const wanted = new Set(
    parts.flatMap(({ text }) =>
      [...text.matchAll(FROM_FIRST)].flatMap(([, list = '']) =>
        list.split(',').map((one) => one.split(' ', 1)[0]),
      ),
    ),
  );
  const lines = [...exported].flatMap(([path, names]) => {
    const own = [...names].filter(([, alias]) => wanted.has(alias));
    const list = own.map(([name, alias]) => `${name} as ${alias}`).join(', ');
    return own.length === 0 ? [] : [`export { ${list} } from './${path}';`];
  });
  return lines.join('\n');
}
