import mammoth from 'mammoth';
import { fromBuffer } from 'yauzl';
import type { Block } from './block.ts';
import { readHtml } from './read-html.ts';
import { UnreadableError } from './unreadable-error.ts';

const MAX_UNZIPPED_BYTES = 200 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

/** Word: headings, paragraphs, list items and table rows. */
export async function* readDocx(bytes: Uint8Array): AsyncGenerator<Block> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  await refuseBombs(buffer);
  yield* readHtml(await toHtml(buffer));
}

async function toHtml(buffer: Buffer): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer },
      {
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
        externalFileAccess: false,
      },
    );
    return value;
  } catch {
    throw new UnreadableError('The Word document is broken and cannot be read.');
  }
}

/** Adds up the unpacked sizes that the archive declares, before anything is unpacked. */
function refuseBombs(buffer: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const broken = () =>
      reject(new UnreadableError('The Word document is broken and cannot be read.'));
    fromBuffer(buffer, { lazyEntries: true }, (error, archive) => {
      if (error) return broken();
      let bytes = 0;
      archive.on('error', broken);
      archive.on('end', resolve);
      archive.on('entry', (entry) => {
        bytes += entry.uncompressedSize;
        if (bytes > MAX_UNZIPPED_BYTES || archive.entryCount > MAX_ENTRIES)
          reject(new UnreadableError('The Word document unpacks to more than is allowed.'));
        else if (entry.isEncrypted())
          reject(new UnreadableError('The Word document is encrypted: remove its password first.'));
        else archive.readEntry();
      });
      archive.readEntry();
    });
  });
}
