import { loopRecorder } from '../lib/loop-recorder.ts';
import { PortionSize, type Portions } from './portions.ts';

const COMMA = Buffer.from(',');

/** An array of items that are serialised already. */
export function arrayOfJson(items: readonly Buffer[]): Buffer {
  const parts = items.flatMap((item, i) => (i === 0 ? [item] : [COMMA, item]));
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}

/** A list in JSON: an array, or an object with an array as its last field. */
export interface JsonList<Item> {
  /** The fields before the array. */
  readonly head?: Readonly<Record<string, unknown>>;
  /** Field of the array; absent: the response is the array. */
  readonly name?: string | undefined;
  readonly portions: Portions<Item>;
  /** The item as it is serialised. */
  readonly present: (item: Item) => unknown;
}

/**
 * Serialises a list portion by portion, never all of it at once: the same bytes as `JSON.stringify` of the whole.
 * `nextSlice` resolves when the next portion may be serialised.
 */
export async function writeJsonList<Item>(
  { head = {}, name, portions, present }: JsonList<Item>,
  nextSlice: () => Promise<void>,
): Promise<Buffer> {
  const fields = Object.entries(head).map(
    ([field, value]) => `${JSON.stringify(field)}:${JSON.stringify(value)},`,
  );
  const written: Buffer[] = [];
  const size = new PortionSize();
  for await (const items of portions(size)) {
    if (items.length === 0) continue;
    await nextSlice();
    const bytes = loopRecorder.hold('list', () =>
      Buffer.from(items.map((item) => JSON.stringify(present(item))).join(',')),
    );
    size.wrote(items.length, bytes.length);
    written.push(bytes);
  }
  const array = arrayOfJson(written);
  if (name === undefined) return array;
  const open = `{${fields.join('')}${JSON.stringify(name)}:`;
  return Buffer.concat([Buffer.from(open), array, Buffer.from('}')]);
}
