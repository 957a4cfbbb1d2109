import type { Assistant, AssistantInput } from '../../client/api.generated.ts';

const LONGEST_NAME = 200;

/** Creates a copy of an assistant under a free name. */
export function duplicateOf(
  { _id, teamId, createdAt, updatedAt, ...config }: Assistant,
  taken: readonly string[],
): AssistantInput {
  return { ...config, name: freeName(config.name, new Set(taken)) };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const base = name.replace(/ \(copy(?: \d+)?\)$/, '');
  for (let count = 1; ; count++) {
    const end = count === 1 ? ' (copy)' : ` (copy ${count})`;
    const next = `${base.slice(0, LONGEST_NAME - end.length)}${end}`;
    if (!taken.has(next)) return next;
  }
}
