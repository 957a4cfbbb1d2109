import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/errors.ts';
import { getCall } from '../../store/calls.ts';
import { parseByteRange } from '../byte-range.ts';
import type { ApiDeps } from '../deps.ts';

/** Sends a call's recording or the requested range of it. */
export async function sendRecording(
  { db, recordings }: Pick<ApiDeps, 'db' | 'recordings'>,
  params: { readonly teamId: string; readonly id: string },
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  const { recording } = await getCall(db, params);
  const size = recording ? await recordings.size(recording.path) : undefined;
  // An empty file counts as missing.
  if (!recording || !size) throw new Problem({ kind: 'missing', message: 'Recording not found!' });
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
    .send(recordings.open(recording.path, { first, last }));
}
