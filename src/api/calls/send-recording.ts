import { basename, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/errors.ts';
import { getCall } from '../../store/calls.ts';
import { parseByteRange } from '../byte-range.ts';
import type { ApiDeps } from '../deps.ts';
import { LINK_SECONDS, sendRedirect } from '../send-redirect.ts';

/** Sends a call's recording or the requested range of it. */
export async function sendRecording(
  { db, recordings }: Pick<ApiDeps, 'db' | 'recordings'>,
  params: { readonly teamId: string; readonly id: string; readonly redirect: boolean },
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  const { recording, snapshot } = await getCall(db, params);
  // The folder of recordings may have moved since, with the data or by a backup.
  const path = join(snapshot.recordingPath ?? '', basename(recording?.path ?? ''));
  const size = recording ? await recordings.size(path) : undefined;
  // An empty file counts as missing.
  if (!recording || !size) throw new Problem({ kind: 'missing', message: 'Recording not found!' });
  const link = params.redirect
    ? await recordings.link(path, {
        seconds: LINK_SECONDS,
        contentType: 'audio/wav',
        disposition: `attachment; filename="${params.id}.wav"`,
      })
    : undefined;
  if (link) return sendRedirect(reply, link);
  reply.header('accept-ranges', 'bytes');
  const range = parseByteRange(request.headers.range, size);
  if (range === 'unsatisfiable') {
    reply.code(416).header('content-range', `bytes */${size}`).send();
    return;
  }
  const { first, last } = range === 'whole' ? { first: 0, last: size - 1 } : range;
  if (range !== 'whole') reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`);
  reply
    .type('audio/wav')
    .header('content-length', last - first + 1)
    .send(recordings.open(path, { first, last }));
}
