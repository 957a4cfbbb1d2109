import { refuseUnplayableSound } from '../../calls/background-sound.ts';
import { invalid } from '../../contract/errors.ts';
import type { NumberChange } from '../../contract/number.ts';
import { holdAssistant } from '../../store/assistants.ts';
import type { Db } from '../../store/db.ts';
import { getNumber, type NumberRecord, updateNumber } from '../../store/numbers.ts';
import type { ApiDeps } from '../deps.ts';
import { refuseIfChanged } from '../entity-tag.ts';
import { retryRaces } from '../retry-races.ts';
import { presentNumber } from './present.ts';

interface Change {
  readonly teamId: string;
  readonly id: string;
  readonly change: NumberChange;
  /** Entity tags that the client has read; absent: the change applies to any version. */
  readonly ifMatch: string | undefined;
}

/** Changes a number's assistant and switches. */
export function changeNumber(
  { db, carriers }: Pick<ApiDeps, 'db' | 'carriers'>,
  { teamId, id, change, ifMatch }: Change,
): Promise<NumberRecord> {
  const { assistantId, ...switches } = change;
  return retryRaces(() =>
    db.transaction(async (tx) => {
      const current = await getNumber(tx, { teamId, id });
      refuseIfChanged(ifMatch, presentNumber(current));
      if (assistantId)
        await checkAttachable(tx, { teamId, assistantId, number: current, carriers });
      return updateNumber(tx, {
        teamId,
        id,
        change: {
          ...switches,
          ...(assistantId === undefined ? {} : { assistantId: assistantId || null }),
        },
        expectedVersion: current.version,
      });
    }),
  );
}

async function checkAttachable(
  tx: Db,
  {
    teamId,
    assistantId,
    number,
    carriers,
  }: {
    readonly teamId: string;
    readonly assistantId: string;
    readonly number: NumberRecord;
    readonly carriers: ApiDeps['carriers'];
  },
): Promise<void> {
  // Locked, so that meanwhile the assistant is neither deleted nor given a sound that the number cannot play.
  const assistant = await holdAssistant(tx, { teamId, id: assistantId });
  if (!assistant)
    throw invalid([{ path: 'assistantId', message: `there is no such assistant: ${assistantId}` }]);
  refuseUnplayableSound(carriers, assistant.config, [number]);
}
