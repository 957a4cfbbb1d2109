import { parseAllDocuments } from 'yaml';
import { type Block, labelled } from './block.ts';
import { UnreadableError } from './unreadable-error.ts';

const MAX_DEPTH = 100;
const MAX_ALIASES = 1000;

/** JSON: one row for each object, under the keys that lead to it. */
export function* readJson(text: string): Generator<Block> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be parsed';
    throw new UnreadableError(`The file is not valid JSON: ${why}`);
  }
  yield* blocksOf(value, [], 0);
}

/** YAML with one document or several. */
export function* readYaml(text: string): Generator<Block> {
  for (const document of parseAllDocuments(text)) {
    const [fault] = document.errors;
    if (fault)
      throw new UnreadableError(`The file is not valid YAML: ${fault.message.split('\n')[0]}`);
    let value: unknown;
    try {
      value = document.toJS({ maxAliasCount: MAX_ALIASES });
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be resolved';
      throw new UnreadableError(`The file is not valid YAML: ${why}`);
    }
    yield* blocksOf(value, [], 0);
  }
}

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;
const say = (value: unknown) => (value === null || value === undefined ? '' : String(value));

function* blocksOf(value: unknown, path: readonly string[], depth: number): Generator<Block> {
  if (depth > MAX_DEPTH)
    throw new UnreadableError(`The file is nested deeper than ${MAX_DEPTH} levels.`);
  if (isScalar(value)) {
    const text = labelled([['', say(value)]]);
    if (text !== '') yield { kind: 'row', text };
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) yield* blocksOf(item, path, depth + 1);
    return;
  }
  const fields = Object.entries(value as object);
  const flat = fields.filter(([, inner]) => isScalar(inner) || isPlainList(inner));
  const text = labelled(flat.map(([name, inner]) => [name, words(inner)]));
  if (text !== '') yield { kind: 'row', text };
  for (const [name, inner] of fields) {
    if (isScalar(inner) || isPlainList(inner)) continue;
    const inside = [...path, name];
    yield { kind: 'heading', level: Math.min(inside.length, 6), text: name };
    yield* blocksOf(inner, inside, depth + 1);
  }
}

function isPlainList(value: unknown): boolean {
  return Array.isArray(value) && value.length <= 50 && value.every(isScalar);
}

function words(value: unknown): string {
  return Array.isArray(value) ? value.map(say).join(', ') : say(value);
}
