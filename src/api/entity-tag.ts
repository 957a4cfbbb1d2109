import { hash } from 'node:crypto';
import { Problem } from '../contract/errors.ts';

/** The entity tag of a representation: a strong one, so equal tags mean equal bytes. */
export function entityTag(json: string): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 22)}"`;
}

/** Whether a list of entity tags, as in `If-Match`, names this one. Weak tags never match strongly. */
export function namesTag(header: string, tag: string): boolean {
  return header.trim() === '*' || header.split(',').some((item) => item.trim() === tag);
}

/** Refuses to change what is no longer what the client read. */
export function refuseIfChanged(ifMatch: string | undefined, current: unknown): void {
  if (ifMatch === undefined || namesTag(ifMatch, entityTag(JSON.stringify(current)))) return;
  throw new Problem({ kind: 'changed', message: 'It was changed since it was read' });
}
