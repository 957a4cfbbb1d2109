import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LookUp } from './pronounce.ts';
import { modelPath } from './soundswallower-module.ts';

const NONE: readonly string[] = [];
const [NEWLINE, SPACE, OPENING, CLOSING, ZERO, NINE, SEMICOLON] = [10, 32, 40, 41, 48, 57, 59];

/**
 * Reads a model's pronunciation dictionary: `word PHONES`, with further pronunciations as `word(2) PHONES`. It stays as it
 * is in the file, with a hash table of where its lines begin: as strings it would take 60 MiB and 0.4 s of the processor.
 */
export function readDictionary(model: string): LookUp {
  const bytes = readFileSync(join(modelPath(model), 'dict.txt'));
  const table = indexLines(bytes);
  const mask = table.length - 1;
  return (word) => {
    const wanted = Buffer.from(word);
    const found: string[] = [];
    for (
      let slot = hash(wanted, 0, wanted.length) & mask;
      table[slot] !== -1;
      slot = (slot + 1) & mask
    ) {
      const start = table[slot] as number;
      if (wanted.compare(bytes, start, wordEnd(bytes, start)) !== 0) continue;
      found.push(bytes.toString('utf8', bytes.indexOf(SPACE, start), lineEnd(bytes, start)).trim());
    }
    return found.length > 0 ? found : NONE;
  };
}

/** A table with open addressing, at most half full: where lines begin by the hash of their word, -1 where there is none. */
function indexLines(bytes: Buffer): Int32Array {
  const starts: number[] = [];
  for (let start = 0; start < bytes.length; start = lineEnd(bytes, start) + 1) {
    const isComment = bytes[start] === SEMICOLON && bytes[start + 1] === SEMICOLON;
    if (!isComment && wordEnd(bytes, start) > start) starts.push(start);
  }
  const table = new Int32Array(2 ** Math.ceil(Math.log2(2 * starts.length + 1))).fill(-1);
  for (const start of starts) {
    let slot = hash(bytes, start, wordEnd(bytes, start)) & (table.length - 1);
    while (table[slot] !== -1) slot = (slot + 1) & (table.length - 1);
    table[slot] = start;
  }
  return table;
}

function lineEnd(bytes: Buffer, start: number): number {
  let end = start;
  while (end < bytes.length && bytes[end] !== NEWLINE) end++;
  return end;
}

/** Where the word ends with which this line begins; `start`, if there is none. */
function wordEnd(bytes: Buffer, start: number): number {
  let space = start;
  while (bytes[space] !== SPACE) {
    if (space >= bytes.length || bytes[space] === NEWLINE) return start;
    space++;
  }
  if (bytes[space - 1] !== CLOSING) return space;
  let end = space - 2;
  while (end > start && (bytes[end] as number) >= ZERO && (bytes[end] as number) <= NINE) end--;
  return bytes[end] === OPENING && end < space - 2 ? end : space;
}

/** FNV-1a, 32 bits with a sign (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hash(bytes: Buffer, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let i = from; i < to; i++) value = Math.imul(value ^ (bytes[i] as number), 0x01000193);
  return value;
}
