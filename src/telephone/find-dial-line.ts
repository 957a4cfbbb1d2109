import { findCallOfAnyTeam } from '../store/calls.ts';
import { listDialNumbers } from '../store/dial-numbers.ts';
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
  for (const number of await listDialNumbers(deps.db, record)) {
    const line = await openNumberLine(deps, number);
    if (line) return { line, baseUrl };
  }
  return undefined;
}
