import { ApiError } from '../../client/api-error.ts';
import { mergeDiff, patchedPaths } from './merge-diff.ts';
import type { Saved, Stored } from './use-editor.ts';
import type { Values } from './value-path.ts';

/** How one thing is read and changed. */
export interface Resource<R> {
  readonly read: () => Promise<Stored<R>>;
  /** Refused with 412 where it is not what the tag says any more. */
  readonly patch: (patch: Values, tag: string) => Promise<Stored<R>>;
}

/** Somebody may be quicker, but not for ever. */
const MOST_TRIES = 5;

/**
 * Saves a patch over what was read. What somebody else changed meanwhile stays, and only where both changed the same
 * is it not saved.
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
