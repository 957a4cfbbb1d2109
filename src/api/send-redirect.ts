import type { FastifyReply } from 'fastify';

/** An address of a download is valid for so long; who has begun by then may finish. */
export const LINK_SECONDS = 300;

/** Sends the client to an address that contains a secret. */
export function sendRedirect(reply: FastifyReply, address: string): void {
  reply
    .code(302)
    .headers({ location: address, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .send();
}
