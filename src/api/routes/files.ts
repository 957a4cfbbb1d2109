import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Contract } from '../../contract/contract.ts';
import { Problem } from '../../contract/errors.ts';
import type { FileSchema } from '../../contract/file.ts';
import type { StoredFile } from '../../store/files.ts';
import { deleteFile, getFile, listFiles } from '../../store/files.ts';
import type { ApiDeps } from '../deps.ts';
import { createFileFromUpload } from '../files/create.ts';
import { receiveUpload } from '../files/receive.ts';
import { sendFileContent } from '../files/send-content.ts';
import { servePages } from '../list-route.ts';
import { answerOnce, type Routing, sendJsonText, serve, serveRaw } from '../route.ts';

export function fileRoutes(
  routing: Routing,
  operations: Contract['files'],
  deps: Pick<ApiDeps, 'db' | 'fileStorage' | 'fileReader'>,
): void {
  const { db, fileStorage: storage } = deps;

  servePages(routing, operations.list, {
    name: 'files',
    read: (params) => listFiles(db, params),
    present: presentFile,
  });

  serve(routing, operations.get, async ({ teamId, params }) =>
    presentFile(await getFile(db, { teamId, id: params.id })),
  );

  serveRaw(routing, operations.content, async ({ teamId, params, query, request, reply }) => {
    await sendFileContent(storage, await getFile(db, { teamId, id: params.id }), {
      ...{ request, reply },
      redirect: query.redirect === 'true',
    });
  });

  serve(routing, operations.remove, async ({ teamId, params }) => {
    await deleteFile(db, { teamId, id: params.id });
    await storage.remove(params.id);
    return { message: 'File deletion accepted' };
  });

  routing.app.register(async (app) => {
    await acceptUploads(app);
    uploadRoute({ ...routing, app }, operations.upload, deps);
  });
}

/** Accepts only multipart forms; others are rejected before their body is read. */
async function acceptUploads(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(multipart, { throwFileSizeLimit: false });
  app.addContentTypeParser('*', async () => {
    throw notAForm();
  });
}

function notAForm(): Problem {
  const message = 'The content type must be multipart/form-data';
  return new Problem({ kind: 'unsupported-media-type', message });
}

function uploadRoute(
  routing: Routing,
  operation: Contract['files']['upload'],
  { db, fileStorage: storage, fileReader }: Pick<ApiDeps, 'db' | 'fileStorage' | 'fileReader'>,
): void {
  serveRaw(routing, operation, async (context) => {
    const { teamId, request, reply } = context;
    if (!request.isMultipart()) throw notAForm();
    // The connection cannot be reused unless the whole body was read.
    reply.header('connection', 'close');
    const upload = await receiveUpload(request, storage);
    reply.removeHeader('connection');
    const gone = new AbortController();
    const onClose = () => gone.abort();
    reply.raw.once('close', onClose);
    try {
      const { name, declaredType, incoming } = upload;
      // Requests count as the same if the file is the same, regardless of the form's encoding.
      const sent = () => JSON.stringify({ name, declaredType, sha256: incoming.sha256 });
      const json = await answerOnce(routing.db, operation, { ...context, sent }, async () => {
        const params = { teamId, upload, signal: gone.signal };
        const file = await createFileFromUpload({ db, storage, fileReader }, params);
        return JSON.stringify(presentFile(file));
      });
      sendJsonText(reply.code(operation.response.status), json);
    } finally {
      reply.raw.off('close', onClose);
      await upload.incoming.drop();
    }
  });
}

/** Converts a file to its form in the API. */
function presentFile(file: StoredFile): z.output<typeof FileSchema> {
  const { id, name, teamId, format, sizeBytes, createdAt } = file;
  return { id, name, type: 'file', teamId, format, sizeBytes, createdAt: createdAt.toISOString() };
}
