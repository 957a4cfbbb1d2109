import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { ModelFolder } from './model-folder.ts';
import { readOnnxMetadata } from './onnx-metadata.ts';

/** More files than any model's folder has (espeak's data: about 400). */
const MAX_FILES = 5000;

/** Reads a folder of the operator: only names and metadata. Throws file system errors. */
export function readModelFolder(dir: string): ModelFolder {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .slice(0, MAX_FILES)
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return { files, metadata: (file) => metadataOf(join(dir, file)) };
}

function metadataOf(path: string): Record<string, string> {
  const descriptor = openSync(path, 'r');
  try {
    const read = (offset: number, bytes: number): Uint8Array => {
      const buffer = new Uint8Array(bytes);
      return buffer.subarray(0, readSync(descriptor, buffer, 0, bytes, offset));
    };
    return readOnnxMetadata(read, fstatSync(descriptor).size);
  } finally {
    closeSync(descriptor);
  }
}
