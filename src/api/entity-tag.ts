import { hash } from 'node:crypto';
import { Problem } from '../contract/errors.ts';

/** The strong entity tag of a representation: equal tags mean equal bytes. */
export function entityTag(json: string): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 22)}"`;
}

/** True if a list of entity tags, as in `If-Match`, includes this one. Weak tags never match. */
export function namesTag(header: string, tag: string): boolean {
  return header.trim() === '*' || header.split(',').some((item) => item.trim() === tag);
}

/** Throws Problem if the resource has changed since the client read it. */
export function refuseIfChanged(ifMatch: string | undefined, current: unknown): void {
  if (ifMatch === undefined || namesTag(ifMatch, entityTag(JSON.stringify(current)))) return;
  throw new Problem({ kind: 'changed', message: 'It was changed since it was read' });
}
