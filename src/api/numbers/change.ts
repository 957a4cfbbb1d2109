import { refuseUnplayableSound } from '../../calls/background-sound.ts';
import { refuseUntestedPin } from '../../calls/refuse-untested.ts';
import { invalid } from '../../contract/errors.ts';
import type { NumberChange } from '../../contract/number.ts';
import { findVersion } from '../../store/assistant-versions.ts';
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
  const { assistantId, assistantVersion, ...switches } = change;
  return retryRaces(() =>
    db.transaction(async (tx) => {
      const current = await getNumber(tx, { teamId, id });
      refuseIfChanged(ifMatch, presentNumber(current));
      const attached = assistantId ?? current.assistantId;
      // Another assistant has other versions.
      const moved = assistantId !== undefined && assistantId !== (current.assistantId ?? '');
      const version = assistantVersion ?? (moved ? '' : undefined);
      if (attached && (assistantId || version))
        await checkAttachable(tx, {
          ...{ teamId, number: current, carriers },
          assistantId: attached,
          version: version ?? current.assistantVersion ?? '',
        });
      else if (version)
        throw invalid([{ path: 'assistantVersion', message: 'needs an assistant' }]);
      return updateNumber(tx, {
        teamId,
        id,
        change: {
          ...switches,
          ...(assistantId === undefined ? {} : { assistantId: assistantId || null }),
          ...(version === undefined ? {} : { assistantVersion: version || null }),
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
    version,
    number,
    carriers,
  }: {
    readonly teamId: string;
    readonly assistantId: string;
    /** Empty: the published one. */
    readonly version: string;
    readonly number: NumberRecord;
    readonly carriers: ApiDeps['carriers'];
  },
): Promise<void> {
  // Locked, so that meanwhile the assistant is neither deleted nor given a sound that the number cannot play.
  const assistant = await holdAssistant(tx, { teamId, id: assistantId });
  if (!assistant)
    throw invalid([{ path: 'assistantId', message: `there is no such assistant: ${assistantId}` }]);
  const found = await findVersion(tx, { teamId, id: assistantId, name: version });
  if (!found)
    throw invalid([
      { path: 'assistantVersion', message: `the assistant has no such version: ${version}` },
    ]);
  if (version !== '')
    await refuseUntestedPin(tx, {
      ...{ teamId, id: assistantId, version: found.number },
      field: 'assistantVersion',
    });
  refuseUnplayableSound(carriers, found.config, [number]);
}
