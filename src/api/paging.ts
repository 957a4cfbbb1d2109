import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '../store/page.ts';

/** Adds a `Link` header with the next page of a list, if there is one. */
export function linkNextPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { nextCursor }: Pick<Page<unknown>, 'nextCursor'>,
): void {
  if (nextCursor === undefined) return;
  const [path = '', search = ''] = request.url.split('?', 2);
  const query = new URLSearchParams(search);
  query.set('cursor', nextCursor);
  reply.header('link', `<${path}?${query}>; rel="next"`);
}
