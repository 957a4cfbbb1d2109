import type { Assistant, AssistantInput } from '../../client/api.generated.ts';
import type { Client } from '../../client/client.ts';

const LONGEST_NAME = 200;
const TIMEOUT_MS = 30_000;

/** The names among which a copy of this one needs a free one. */
export async function takenNames(client: Client, name: string): Promise<readonly string[]> {
  const query = { search: baseOf(name), fields: 'name' };
  const taken = client.list('listAssistants', {
    query,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const names: string[] = [];
  for await (const one of taken) names.push(one.name);
  return names;
}

const baseOf = (name: string): string => name.replace(/ \(copy(?: \d+)?\)$/, '');

/** Creates a copy of an assistant under a free name. */
export function duplicateOf(
  { _id, teamId, createdAt, updatedAt, ...config }: Assistant,
  taken: readonly string[],
): AssistantInput {
  return { ...config, name: freeName(config.name, new Set(taken)) };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const base = baseOf(name);
  for (let count = 1; ; count++) {
    const end = count === 1 ? ' (copy)' : ` (copy ${count})`;
    const next = `${base.slice(0, LONGEST_NAME - end.length)}${end}`;
    if (!taken.has(next)) return next;
  }
}
