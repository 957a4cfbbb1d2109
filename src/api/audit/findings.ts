import type { FastifyRequest } from 'fastify';

/** What handlers find out about a request, for its entry. */
interface Findings {
  subject?: string;
  sawSecrets?: boolean;
}

const findings = new WeakMap<FastifyRequest, Findings>();

export function findingsOf(request: FastifyRequest): Findings {
  const known = findings.get(request) ?? {};
  findings.set(request, known);
  return known;
}

/** The answer contains secrets, so that reading it is logged. */
export function noteSecrets(request: FastifyRequest): void {
  findingsOf(request).sawSecrets = true;
}

/** The request has made this, so that its entry names it. */
export function noteMade(request: FastifyRequest, made: unknown): void {
  if (typeof made !== 'object' || made === null) return;
  const id = '_id' in made ? made._id : 'id' in made ? made.id : undefined;
  if (typeof id === 'string') findingsOf(request).subject = id;
}
