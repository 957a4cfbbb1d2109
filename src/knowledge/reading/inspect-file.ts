import type { FileFormat } from '../../contract/file.ts';
import { readBlocks } from './read-blocks.ts';
import { UnreadableError } from './unreadable-error.ts';

/** Refuses what cannot be read or says nothing. A table is read to its end, all else to its first words. */
export async function inspectFile(bytes: Uint8Array, format: FileFormat): Promise<void> {
  const toEnd = format === 'csv' || format === 'tsv';
  let hasText = false;
  for await (const { text } of readBlocks(bytes, format)) {
    hasText ||= /[\p{L}\p{N}]/u.test(text);
    if (hasText && !toEnd) return;
  }
  if (!hasText) throw new UnreadableError('There is no text in the file.');
}
