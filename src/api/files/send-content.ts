import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileStorage } from '../../ports/file-storage.ts';
import type { StoredFile } from '../../store/files.ts';
import { parseByteRange } from '../byte-range.ts';
import { LINK_SECONDS, sendRedirect } from '../send-redirect.ts';

/** Sends a file or the requested range of it, as an attachment, so that browsers do not display it. */
export async function sendFileContent(
  storage: Pick<FileStorage, 'open' | 'link'>,
  { id, name, sizeBytes, sha256 }: StoredFile,
  {
    request,
    reply,
    redirect,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly redirect: boolean;
  },
): Promise<void> {
  const contentType = 'application/octet-stream';
  const disposition = contentDisposition(name);
  const link = redirect
    ? await storage.link(id, { seconds: LINK_SECONDS, contentType, disposition })
    : undefined;
  if (link) return sendRedirect(reply, link);
  reply.headers({
    'accept-ranges': 'bytes',
    'content-disposition': disposition,
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    etag: `"${sha256}"`,
  });
  const range = parseByteRange(request.headers.range, sizeBytes);
  if (range === 'unsatisfiable') {
    reply.code(416).header('content-range', `bytes */${sizeBytes}`).send();
    return;
  }
  const { first, last } = range === 'whole' ? { first: 0, last: sizeBytes - 1 } : range;
  if (range !== 'whole')
    reply.code(206).header('content-range', `bytes ${first}-${last}/${sizeBytes}`);
  reply
    .type(contentType)
    .header('content-length', last - first + 1)
    .send(storage.open(id, { first, last }));
}

/** The file name in ASCII for old clients, and in UTF-8 for others (RFC 6266, RFC 8187). */
function contentDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
