import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConsoleFile, type PageName, servedFile } from './console-file.ts';

type Files = ReadonlyMap<string, ConsoleFile>;

const loaded = new Map<PageName, Promise<Files>>();

/** The files of a page by the names they are served under. In a clone a process builds them once, which takes some seconds. */
export function loadPage(page: PageName): Promise<Files> {
  const files = loaded.get(page) ?? load(page);
  loaded.set(page, files);
  return files;
}

async function load(page: PageName): Promise<Files> {
  // Where the npm package has it, built and compressed.
  const built = join(import.meta.dirname, '..', page, 'built');
  if (existsSync(built)) return readBuilt(built);
  // Loaded at the first visit, since most starts of the service do not need it.
  const { bundlePage } = await import('./console-bundle.ts');
  return bundlePage(page);
}

async function readBuilt(built: string): Promise<Files> {
  const names = (await readdir(built)).filter((name) => !name.endsWith('.br'));
  const files = names.map(async (name) => {
    const [body, brotli] = await Promise.all([
      readFile(join(built, name)),
      readFile(join(built, `${name}.br`)),
    ]);
    return [name, servedFile(name, { body, brotli: async () => brotli })] as const;
  });
  return new Map(await Promise.all(files));
}
