import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LookUp } from './pronounce.ts';
import { modelPath } from './soundswallower-module.ts';

const NONE: readonly string[] = [];

/** Reads a model's pronunciation dictionary: `word PHONES`, with further pronunciations as `word(2) PHONES`. */
export function readDictionary(model: string): LookUp {
  const text = readFileSync(join(modelPath(model), 'dict.txt'), 'utf8');
  const sounds = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    if (space < 1 || line.startsWith(';;')) continue;
    const word = line.slice(0, space).replace(/\(\d+\)$/, '');
    const known = sounds.get(word);
    if (known) known.push(line.slice(space + 1).trim());
    else sounds.set(word, [line.slice(space + 1).trim()]);
  }
  return (word) => sounds.get(word) ?? NONE;
}
