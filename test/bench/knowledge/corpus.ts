import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makePassages } from '../../../src/knowledge/indexing/make-passages.ts';
import { readBlocks } from '../../../src/knowledge/reading/read-blocks.ts';

const run = promisify(execFile);

/** Debian's documentation packages that the questions are asked of, 25,000 passages in all. */
export const ENGLISH = [
  'debian-faq',
  'debian-reference-en',
  'debian-policy',
  'exim4-doc-html',
  'git-doc',
  'postfix-doc',
  'r-doc-html',
  'bind9-doc',
] as const;
/** The first two in other languages, and more. */
export const OTHERS = ['debian-faq-fr', 'debian-faq-de', 'debian-reference-fr', 'aptitude-doc-es'];
/** As many passages again, for what a search costs. */
export const MORE = ['postgresql-doc-15', 'sqlite3-doc'];

export interface CorpusPassage {
  readonly source: string;
  readonly number: number;
  readonly text: string;
  readonly headings: readonly string[];
}

/** The passages of a package's pages, each once; downloads and unpacks it into the folder, once. */
export async function packagePassages(folder: string, name: string): Promise<CorpusPassage[]> {
  const tree = join(folder, name);
  await mkdir(tree, { recursive: true });
  if ((await readdir(tree)).length === 0) {
    await run('apt-get', ['download', '-qq', name], { cwd: folder });
    const archive = (await readdir(folder)).find((it) => it.startsWith(`${name}_`));
    if (archive === undefined) throw new Error(`apt-get did not download ${name}`);
    await run('dpkg-deb', ['-x', archive, tree], { cwd: folder });
  }
  const found: CorpusPassage[] = [];
  // Some packages have every page twice.
  const seen = new Set<string>();
  const entries = await readdir(tree, { recursive: true, withFileTypes: true });
  const pages = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const page of pages) {
    let number = 0;
    const source = page.slice(folder.length + 1);
    for await (const { text, headings } of makePassages(readBlocks(await readFile(page), 'html'))) {
      const key = [...headings, text].join('\n');
      if (seen.has(key)) continue;
      seen.add(key);
      found.push({ source, number: number++, text, headings });
    }
  }
  return found;
}
