import type { Db } from '../../store/db.ts';
import type { Person } from '../../store/people.ts';
import { factorOf, useRecoveryCode, useStep } from '../../store/second-factors.ts';
import { canonicalRecoveryCode, stepOf } from './one-time-codes.ts';

/** Uses a code of the app or a recovery code of a person, which works once; false if it is neither. */
export async function useCode(
  db: Db,
  person: Person,
  { code, nowMs }: { readonly code: string; readonly nowMs: number },
): Promise<boolean> {
  const secret = factorOf(db, person);
  if (secret === undefined) return false;
  const step = stepOf(secret, code, nowMs);
  if (step !== undefined) return useStep(db, person, step);
  return useRecoveryCode(db, person, canonicalRecoveryCode(code));
}
