import { isSame, type Values } from './value-path.ts';

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The smallest JSON Merge Patch (RFC 7396) that turns `before` into `after`. */
export function mergeDiff(before: Values, after: Values): Values {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (!(name in after)) patch[name] = null;
  for (const [name, next] of Object.entries(after)) {
    const old = before[name];
    if (isSame(old, next)) continue;
    patch[name] = isObject(old) && isObject(next) ? mergeDiff(old, next) : next;
  }
  return patch;
}

/** Applies a JSON Merge Patch to a value. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, next] of Object.entries(patch)) {
    if (next === null) delete result[name];
    else result[name] = mergePatch(result[name], next);
  }
  return result;
}

/** Dotted paths that a patch changes. */
export function patchedPaths(patch: Values, within = ''): readonly string[] {
  return Object.entries(patch).flatMap(([name, next]) =>
    isObject(next) && Object.keys(next).length > 0
      ? patchedPaths(next, `${within}${name}.`)
      : [`${within}${name}`],
  );
}
