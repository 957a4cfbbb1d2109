import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConsoleFile, type PageName, servedFile } from './console-file.ts';

/** The files of a page by the names they are served under. In a clone they are built, in a fraction of a second. */
export async function loadPage(page: PageName): Promise<ReadonlyMap<string, ConsoleFile>> {
  // Where the npm package has it, built and compressed.
  const built = join(import.meta.dirname, '..', page, 'built');
  if (existsSync(built)) return readBuilt(built);
  // Loaded at the first visit, since most starts of the service do not need it.
  const { bundlePage } = await import('./console-bundle.ts');
  return bundlePage(page);
}

async function readBuilt(built: string): Promise<ReadonlyMap<string, ConsoleFile>> {
  const names = (await readdir(built)).filter((name) => !name.endsWith('.br'));
  const files = names.map(async (name) => {
    const [body, brotli] = await Promise.all([
      readFile(join(built, name)),
      readFile(join(built, `${name}.br`)),
    ]);
    return [name, servedFile(name, { body, brotli })] as const;
  });
  return new Map(await Promise.all(files));
}
