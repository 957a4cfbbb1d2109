import { z } from 'zod';
import { DateTimeSchema, IdSchema } from './atoms.ts';

/** File formats that knowledge bases support. */
export const FILE_FORMATS = [
  'pdf',
  'docx',
  'txt',
  'md',
  'html',
  'csv',
  'tsv',
  'json',
  'yaml',
  'xml',
  'log',
] as const;

const FileFormatSchema = z.enum(FILE_FORMATS);

export type FileFormat = z.output<typeof FileFormatSchema>;

/** Size limit of a file. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

export const FileSchema = z
  .strictObject({
    id: IdSchema,
    name: z.string(),
    type: z.literal('file'),
    teamId: IdSchema,
    format: FileFormatSchema.describe('What it holds, by its content.'),
    sizeBytes: z.int(),
    createdAt: DateTimeSchema,
  })
  .meta({ title: 'File' });
