import { isReadInParts } from '../../contract/mcp.ts';
import type { Operation } from '../../contract/operation.ts';

/** The request that a call of a tool stands for. */
export interface ToolRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Characters of the answer that the caller has already. */
  readonly skip: number;
}

/** Items of a page if the caller does not say. */
const PAGE = 20;

/** The arguments cannot be those of the tool; the message says why. */
export class ToolArgumentError extends Error {
  override readonly name = 'ToolArgumentError';
}

/** Puts the arguments of a tool where the operation expects them, which checks them. */
export function toolRequest(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
): ToolRequest {
  const args = new Map(Object.entries(given));
  const take = (name: string) => {
    const value = args.get(name);
    args.delete(name);
    return value;
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    segment(name, take(name)),
  );
  const query = new URLSearchParams();
  for (const name of Object.keys(operation.query?.shape ?? {})) {
    const value = take(name);
    if (value !== undefined) query.set(name, plain(name, value));
  }
  if (operation.paged && !query.has('limit')) query.set('limit', String(PAGE));
  const body = operation.body ? take('body') : undefined;
  if (operation.body && body === undefined) throw new ToolArgumentError('body: is required');
  const key = operation.idempotent ? take('idempotencyKey') : undefined;
  const skip = isReadInParts(operation) ? (take('skip') ?? 0) : 0;
  if (!Number.isSafeInteger(skip) || Number(skip) < 0)
    throw new ToolArgumentError('skip: must be a whole number, at least 0');
  const [unknown] = args.keys();
  if (unknown !== undefined) throw new ToolArgumentError(`${unknown.slice(0, 200)}: unknown field`);
  return {
    url: query.size > 0 ? `${path}?${query}` : path,
    headers: key === undefined ? {} : { 'idempotency-key': plain('idempotencyKey', key) },
    body,
    skip: Number(skip),
  };
}

/** A part of the path. Two dots are no id, but lead to another address. */
function segment(name: string, value: unknown): string {
  if (value === undefined) throw new ToolArgumentError(`${name}: is required`);
  const text = plain(name, value);
  if (/^\.{0,2}$/.test(text)) throw new ToolArgumentError(`${name}: must be an id`);
  return encodeURIComponent(text);
}

function plain(name: string, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && value.isWellFormed()) return value;
  throw new ToolArgumentError(`${name}: must be text, a number, true or false`);
}
