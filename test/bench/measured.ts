import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** Where the figures of one name stand in a page: between `<!-- measured name -->` and `<!-- /measured name -->`. */
export const measuredAt = (name: string | number): RegExp =>
  new RegExp(`(<!-- measured ${name} -->\\n)[\\s\\S]*?(\\n<!-- /measured ${name} -->)`);

/** Writes figures into their place in a page of the project, such as `docs/security.md`. Throws if there is none. */
export async function writeMeasured(
  page: string,
  name: string | number,
  figures: string,
): Promise<void> {
  const place = measuredAt(name);
  const path = resolve(ROOT, page);
  const text = await readFile(path, 'utf8');
  if (!place.test(text)) throw new Error(`${page} has no place for the figures of "${name}".`);
  await writeFile(
    path,
    text.replace(place, (_, open, close) => `${open}${figures}${close}`),
  );
}

/** The middle one of several rounds and their range: `12 (9 to 20)`; `12` where all are equal. */
export function spread(values: readonly number[], digits = 1): string {
  const sorted = values.map((value) => Number(value.toFixed(digits))).sort((a, b) => a - b);
  const middle = `${sorted[(sorted.length - 1) >> 1]}`;
  return sorted[0] !== sorted.at(-1) ? `${middle} (${sorted[0]} to ${sorted.at(-1)})` : middle;
}
