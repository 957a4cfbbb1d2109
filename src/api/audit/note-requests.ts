import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuditActor } from '../../contract/audit.ts';
import type { Operation } from '../../contract/operation.ts';
import { type AuditNote, SERVICE_CHAIN } from '../../store/audit.ts';
import { holderOf, type Principal } from '../auth.ts';
import { findingsOf } from './findings.ts';
import type { AuditTrail } from './trail.ts';

/** Logs the requests of a scope when they have been answered. */
export function noteRequests(scope: FastifyInstance, trail: AuditTrail): void {
  scope.addHook('onResponse', async (request, reply) => {
    const { operation } = request.routeOptions.config;
    if (operation) noteRequest(trail, operation, request, reply);
  });
}

function noteRequest(
  trail: AuditTrail,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const outcome = outcomeOf(reply.statusCode);
  if (outcome === undefined) return;
  const { principal } = request;
  if (!principal && operation.role !== 'operator') return;
  const note = entryOf(operation, request, outcome);
  if (operation.method !== 'GET' && outcome === 'done') trail.note(note);
  else if (isNoted(operation, request) || outcome === 'refused') trail.noteRepeated(note);
}

const outcomeOf = (status: number): AuditNote['outcome'] | undefined => {
  if (status < 400) return 'done';
  return status === 403 ? 'refused' : undefined;
};

/** True of reading what callers have said and left, what admins alone may see, and secrets. */
function isNoted({ role }: Operation, request: FastifyRequest): boolean {
  const isPrivate = role !== 'viewer' && role !== 'person' && role !== 'anyone';
  return (isPrivate && role !== 'operator') || findingsOf(request).sawSecrets === true;
}

function entryOf(
  { id: action, role }: Operation,
  request: FastifyRequest,
  outcome: AuditNote['outcome'],
): Omit<AuditNote, 'at'> {
  const named = Object.values(request.params as Readonly<Record<string, string>>).map(
    withoutNumber,
  );
  const subject = named.length > 0 ? named.join(' ') : findingsOf(request).subject;
  const about = { action, subject, outcome, address: request.ip, requestId: request.id };
  if (request.principal)
    return { chain: request.principal.teamId, actor: actorOf(request.principal), ...about };
  // What the operator does to a team stands in the team's own log.
  const team = role === 'operator' && outcome === 'done' ? (named[0] ?? subject) : undefined;
  return { chain: team ?? SERVICE_CHAIN, actor: { type: 'operator' }, ...about };
}

/** A caller's number is no id: the log keeps its last digits. */
const withoutNumber = (value: string): string =>
  /^\+?\d{5,20}$/.test(value) ? `…${value.slice(-3)}` : value;

/** The sender of a request, as the log names it. */
export function actorOf(principal: Principal): AuditActor {
  const holder = holderOf(principal);
  return holder ? { type: holder.type, id: holder.id, name: holder.name } : { type: 'token' };
}
