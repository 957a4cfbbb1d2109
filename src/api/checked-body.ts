import type { FastifyRequest } from 'fastify';

/** A body that has been validated by its operation's schema already: the value with defaults filled in. */
export class CheckedBody {
  readonly value: unknown;
  /** Tells what was sent from anything else: a hash of it. */
  readonly sent: string;

  constructor(value: unknown, sent: string) {
    this.value = value;
    this.sent = sent;
  }
}

/** A text that is the same for the same body only. */
export const sentBody = ({ body }: FastifyRequest): string =>
  body instanceof CheckedBody ? body.sent : JSON.stringify(body);
