import type { z } from 'zod';
import type { FileSchema } from '../../contract/file.ts';
import type { StoredFile } from '../../store/files.ts';

/** A file as the contract shows it. */
export function presentFile(file: StoredFile): z.output<typeof FileSchema> {
  const { id, name, teamId, format, sizeBytes, createdAt } = file;
  return { id, name, type: 'file', teamId, format, sizeBytes, createdAt: createdAt.toISOString() };
}
