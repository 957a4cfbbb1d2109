/** A model folder: its files by relative path, and the metadata of each model file. */
export interface ModelFolder {
  readonly files: readonly string[];
  /** Throws RangeError for a file that is not a model. */
  readonly metadata: (file: string) => Readonly<Record<string, string>>;
}

/** The folder holds no usable model; the message lists the expected files. */
export class UnknownModelError extends Error {
  override readonly name = 'UnknownModelError';
}

/** The first file whose name matches; where a model exists in two precisions, the smaller one. */
export function pickFile({ files }: ModelFolder, pattern: RegExp): string | undefined {
  const matching = files.filter((file) => pattern.test(baseName(file))).toSorted();
  return matching.find((file) => file.includes('.int8.')) ?? matching[0];
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
