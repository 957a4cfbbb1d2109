import type { CallFiles } from '../../src/calls/call-files.ts';
import { keptOnDisk } from '../../src/calls/kept-files.ts';
import { SealedFileError } from '../../src/lib/sealed-bytes.ts';
import { createContentFile, openContentFile, sealingKeyOf } from '../../src/lib/sealed-file.ts';

/** Files in the clear; those that were encrypted cannot be read. */
export const clearFiles: CallFiles = {
  create: (path) => createContentFile(path, undefined),
  open: (path, flags) =>
    openContentFile(path, flags, () => {
      throw new SealedFileError('there are no keys here');
    }),
  sealingKeyOf,
  keep: async () => undefined,
  remove: (path) => keptOnDisk.remove(path),
  link: async () => undefined,
};
