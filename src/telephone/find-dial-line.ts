import { findCallOfAnyTeam } from '../store/calls.ts';
import { listNumbers } from '../store/numbers.ts';
import type { TelephoneDeps } from './deps.ts';
import { type NumberLine, openNumberLine } from './number-account.ts';

/** From which a live call dials: its own number, else the team's first that may call out. */
export async function findDialLine(
  deps: Pick<TelephoneDeps, 'db' | 'carriers'>,
  callId: string,
): Promise<{ readonly line: NumberLine; readonly baseUrl: string | undefined } | undefined> {
  const record = await findCallOfAnyTeam(deps.db, { id: callId });
  if (!record) return undefined;
  const { baseUrl } = record.snapshot;
  const { items } = await listNumbers(deps.db, { teamId: record.teamId });
  const oldestFirst = items.filter(({ outboundEnabled }) => outboundEnabled).toReversed();
  const own = oldestFirst.filter(({ id }) => id === record.numberId);
  for (const number of [...own, ...oldestFirst]) {
    const line = await openNumberLine(deps, number);
    if (line) return { line, baseUrl };
  }
  return undefined;
}
