import { createHash } from 'node:crypto';
import { basename, relative } from 'node:path';
import * as esbuild from 'esbuild';

/** What so many parts need, of some fifty, is loaded with the first file: each further file costs a request. */
const SHARED_BY = 8;
/** A larger module is loaded by the parts that need it, bytes of source. */
const MAX_SHARED_BYTES = 30_000;
/** What a part imports from the first file, with the module that has it there. */
const FROM_SHARED = /(import|export)(?:\{([^{}]*)\}|(\*as [\w$]+) )from"shared:([^"]*)";?/g;

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
  const found = (importer: string, specifier: string) =>
    inputs[relative(root, importer)]?.imports.find(({ original }) => original === specifier)?.path;

  const late = await esbuild.build({
    ...scripts,
    // A tab that has an earlier first file must not find the parts of this one.
    entryNames: `[name]-${tagOf(whole.outputFiles)}`,
    chunkNames: `[hash]-${tagOf(whole.outputFiles)}`,
    entryPoints: parts,
    metafile: true,
    plugins: [fromShared(new Set(shared), found)],
  });
  const exports = new Exports();
  const lateFiles = late.outputFiles.map(({ path, text }) => ({
    path,
    contents: Buffer.from(exports.fromFirst(text)),
  }));
  const names = new Map(
    Object.entries(late.metafile.outputs).map(([path, { entryPoint = '' }]) => [
      entryPoint,
      `./${basename(path)}`,
    ]),
  );
  const first = await esbuild.build({
    ...scripts,
    stdin: { contents: `import './${entry}';\n${exports.statements()}`, resolveDir: root },
    entryNames: 'app',
    plugins: [toParts(names, found)],
  });
  const styles = whole.outputFiles.filter(({ path }) => basename(path) === 'app.css');
  return [...first.outputFiles, ...lateFiles, ...styles];
}

function tagOf(files: readonly esbuild.OutputFile[]): string {
  const all = createHash('sha256');
  for (const { hash } of files) all.update(hash);
  return all.digest('hex').slice(0, 8);
}

/** What the first file exports to the parts, by names that no two modules have in common. */
class Exports {
  readonly #aliases = new Map<string, Map<string, string>>();
  #count = 0;

  /** The text of a part, with one import of all that it has from shared modules. Throws if it has one in another form. */
  fromFirst(text: string): string {
    const imported: string[] = [];
    const take = (_: string, kind: string, list = '', whole = '', module = '') => {
      const own = (list || whole).split(',').map((one) => {
        // All that a module exports has the name `*`.
        const [name = '', local = name] = one.split(/(?<=\*)as | as /);
        return `${this.#aliasOf(module, name)} as ${local}`;
      });
      if (kind === 'export') return `export{${own}}from"./app.js";`;
      imported.push(...own);
      return '';
    };
    const rest = text.replace(FROM_SHARED, take);
    if (rest.includes('"shared:')) throw new Error('a part imports a shared module by no names');
    return imported.length === 0 ? rest : `import{${imported}}from"./app.js";${rest}`;
  }

  statements(): string {
    const lines = [...this.#aliases].map(([module, aliases]) => {
      const named = [...aliases].map(([name, alias]) => `${name} as ${alias}`);
      const list = named.filter((one) => !one.startsWith('*'));
      const whole = named.filter((one) => one.startsWith('*'));
      return [`{ ${list} }`, ...whole].map((what) => `export ${what} from './${module}';`);
    });
    return lines.flat().join('\n');
  }

  #aliasOf(module: string, name: string): string {
    const own = this.#aliases.get(module) ?? new Map<string, string>();
    this.#aliases.set(module, own);
    const alias = own.get(name) ?? `s${(this.#count++).toString(36)}`;
    own.set(name, alias);
    return alias;
  }
}

type Find = (importer: string, specifier: string) => string | undefined;

/** Leaves the imports of shared modules as they are, but for the module's name. */
const fromShared = (shared: ReadonlySet<string>, found: Find): esbuild.Plugin => ({
  name: 'from shared modules',
  setup(build) {
    build.onResolve({ filter: /^/ }, ({ path, importer, kind }) => {
      const own = kind === 'import-statement' ? found(importer, path) : undefined;
      if (own === undefined || !shared.has(own)) return undefined;
      return { path: `shared:${own}`, external: true, sideEffects: false };
    });
  },
});

/** Loads parts from their files, by their paths. */
const toParts = (names: ReadonlyMap<string, string>, found: Find): esbuild.Plugin => ({
  name: 'to the parts',
  setup(build) {
    build.onResolve({ filter: /^/ }, ({ path, importer, kind }) => {
      const own = kind === 'dynamic-import' ? found(importer, path) : undefined;
      const name = own === undefined ? undefined : names.get(own);
      return name === undefined ? undefined : { path: name, external: true };
    });
  },
});
