import { ApiError } from '../../client/api-error.ts';
import { mergeDiff, patchedPaths } from './merge-diff.ts';
import type { Saved, Stored } from './use-editor.ts';
import type { Values } from './value-path.ts';

/** Reads and changes one resource. */
export interface Resource<R> {
  readonly read: () => Promise<Stored<R>>;
  /** Rejected with 412 if the resource no longer has this entity tag. */
  readonly patch: (patch: Values, tag: string) => Promise<Stored<R>>;
}

/** Limit on retries when other people keep saving first. */
const MOST_TRIES = 5;

/**
 * Saves a patch made from an earlier version. Other people's changes in the meantime are kept; if they changed the same
 * fields, nothing is saved and the result is a clash.
 */
export async function savePatch<R>(
  resource: Resource<R>,
  base: Stored<R>,
  patch: Values,
  triesLeft = MOST_TRIES,
): Promise<Saved<R>> {
  try {
    return { kind: 'saved', stored: await resource.patch(patch, base.tag) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412 || triesLeft === 0) throw error;
  }
  const now = await resource.read();
  const theirs = patchedPaths(mergeDiff(base.config, now.config));
  const paths = patchedPaths(patch).filter((mine) => theirs.some((path) => isRelated(mine, path)));
  if (paths.length > 0) return { kind: 'clash', stored: now, paths };
  return savePatch(resource, now, patch, triesLeft - 1);
}

function isRelated(one: string, other: string): boolean {
  return `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);
}
