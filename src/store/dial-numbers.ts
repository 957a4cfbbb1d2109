import type { CallRecord } from './calls.ts';
import type { Db } from './db.ts';
import { listNumbers, type NumberRecord } from './numbers.ts';

/**
 * The numbers from which a live call may dial out, best first: its own, else those of the team that allow outbound
 * calls. The built-in carrier reaches only simulated handsets, so its numbers count only if the call or its assistant
 * uses one.
 */
export async function listDialNumbers(
  db: Db,
  call: Pick<CallRecord, 'teamId' | 'numberId' | 'assistantId'>,
): Promise<readonly NumberRecord[]> {
  const { items } = await listNumbers(db, { teamId: call.teamId });
  const isOwn = ({ id }: NumberRecord) => id === call.numberId;
  const isOfAssistant = ({ assistantId }: NumberRecord) =>
    call.assistantId !== null && assistantId === call.assistantId;
  const rankOf = (number: NumberRecord) => (isOwn(number) ? 0 : isOfAssistant(number) ? 1 : 2);
  const oldestFirst = items
    .filter(({ outboundEnabled }) => outboundEnabled)
    .filter((number) => number.provider !== 'emulator' || rankOf(number) < 2)
    .toReversed();
  return oldestFirst.toSorted((a, b) => rankOf(a) - rankOf(b));
}
