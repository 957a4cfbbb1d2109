import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The samples of a page in `docs` that are in this language, in their order. */
export function docSamples(page: string, language: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return [...text.matchAll(fence)].map(([, code = '']) => code);
}
