import type { FileFormat } from '../../contract/file.ts';
import type { Block } from './block.ts';
import { decodeText } from './decode-text.ts';
import { UnreadableError } from './unreadable-error.ts';

/**
 * A document's blocks in reading order. Throws {@link UnreadableError} if it can't be read. Each format's library is
 * loaded for the first file of that format.
 */
export async function* readBlocks(bytes: Uint8Array, format: FileFormat): AsyncGenerator<Block> {
  if (format === 'pdf') yield* (await import('./read-pdf.ts')).readPdf(bytes);
  else if (format === 'docx') yield* (await import('./read-docx.ts')).readDocx(bytes);
  else yield* await readTextual(bytes, format);
}

async function readTextual(
  bytes: Uint8Array,
  format: Exclude<FileFormat, 'pdf' | 'docx'>,
): Promise<Iterable<Block> | AsyncIterable<Block>> {
  const text = decodeText(bytes);
  if (text === undefined) throw new UnreadableError('The file is not text.');
  switch (format) {
    case 'md':
      return (await import('./read-markdown.ts')).readMarkdown(text);
    case 'html':
      return (await import('./read-html.ts')).readHtml(text);
    case 'csv':
    case 'tsv':
      return (await import('./read-table.ts')).readTable(text, format);
    case 'json':
      return (await import('./read-data.ts')).readJson(text);
    case 'yaml':
      return (await import('./read-data.ts')).readYaml(text);
    case 'xml':
      return (await import('./read-xml.ts')).readXml(text);
    case 'log':
      return (await import('./read-text.ts')).readLog(text);
    case 'txt':
      return (await import('./read-text.ts')).readText(text);
  }
}
