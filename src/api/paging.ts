import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '../store/page.ts';

/** Names the next page of a list in the `Link` header, so that the body keeps its shape. */
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
