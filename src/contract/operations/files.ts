import { z } from 'zod';
import { FILE_FORMATS, FileSchema, MAX_FILE_BYTES } from '../file.ts';
import { operation } from '../operation.ts';
import { DownloadQuerySchema, IdParamsSchema, PageQuerySchema } from './parameters.ts';

const tag = 'Files';
const path = '/kb/v1/files';

export const fileOperations = {
  list: operation({
    id: 'listFiles',
    role: 'viewer',
    method: 'GET',
    path,
    tag,
    summary: 'List the files',
    query: PageQuerySchema,
    response: {
      status: 200,
      description: 'The files, newest first.',
      schema: z.strictObject({ files: z.array(FileSchema) }),
    },
    paged: true,
    errors: ['invalid'],
  }),
  upload: operation({
    id: 'uploadFile',
    role: 'builder',
    method: 'POST',
    path,
    tag,
    summary: 'Upload a file',
    description: `One part named \`file\`, of at most ${MAX_FILE_BYTES / 1024 / 1024} MiB: ${FILE_FORMATS.join(', ')}. The format is detected from the content. A contradicting name or declared type, or an unreadable file, is rejected.`,
    upload: { part: 'file', description: 'The file to use with knowledge bases.' },
    response: { status: 200, description: 'The file.', schema: FileSchema },
    idempotent: true,
    errors: ['invalid', 'no-space', 'over-limit'],
  }),
  get: operation({
    id: 'getFile',
    role: 'viewer',
    method: 'GET',
    path: `${path}/{id}`,
    tag,
    summary: 'Get a file',
    params: IdParamsSchema,
    response: { status: 200, description: 'The file.', schema: FileSchema },
    conditional: true,
    errors: ['missing'],
  }),
  content: operation({
    id: 'getFileContent',
    role: 'viewer',
    method: 'GET',
    path: `${path}/{id}/content`,
    tag,
    summary: 'Download a file',
    description:
      'The bytes as uploaded; supports `Range`. With `redirect=true`, a file that another server keeps is answered with 302 and an address there that is valid for five minutes.',
    params: IdParamsSchema,
    query: DownloadQuerySchema,
    response: {
      status: 200,
      description: 'The content.',
      contentTypes: ['application/octet-stream'],
    },
    errors: ['invalid', 'missing'],
  }),
  remove: operation({
    id: 'deleteFile',
    role: 'builder',
    method: 'DELETE',
    path: `${path}/{id}`,
    tag,
    summary: 'Delete a file',
    description: 'Rejected while it is attached to a knowledge base: detach it first.',
    params: IdParamsSchema,
    response: {
      status: 200,
      description: 'Accepted.',
      schema: z.strictObject({ message: z.string() }),
    },
    errors: ['missing', 'attached'],
  }),
} as const;
