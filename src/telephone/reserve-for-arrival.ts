import { OverLimitError } from '../store/errors.ts';
import type { TelephoneDeps } from './deps.ts';
import type { NumberLine } from './number-line.ts';

/** Reserves a place for a call that arrives, or says why it gets none; a team that is too fast leaves no record of it. */
export async function reserveForArrival(
  { db, callStarts, registry }: Pick<TelephoneDeps, 'db' | 'callStarts' | 'registry'>,
  { number: { teamId, inboundEnabled } }: NumberLine,
) {
  if (!inboundEnabled) return 'not-taken';
  try {
    await callStarts.placed(db, { teamId });
  } catch (error) {
    if (error instanceof OverLimitError) return error.limit;
    throw error;
  }
  return registry.reserve();
}
