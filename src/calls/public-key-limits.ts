import type { Db } from '../store/db.ts';
import { findPublicKey, type PublicKeyRecord, publicKeyUse } from '../store/public-keys.ts';
import type { admittedFields } from './call-fields.ts';
import { publicRefusal } from './public-refusal.ts';

type Fields = Awaited<ReturnType<typeof admittedFields>>;

/**
 * The fields of a call that begins with a public key, its duration limited to what is left of the key's day. Throws
 * Problem if nothing is left. Only one call of the team begins at a time, until the transaction ends. Live calls count as
 * if they lasted as long as they may, so that all together never last longer than the day's minutes.
 */
export async function limitedByKey(tx: Db, { key }: PublicKeyRecord, fields: Fields) {
  // As it is now: it may have been changed since it was found.
  const publicKey = await findPublicKey(tx, { key });
  if (!publicKey) throw publicRefusal('unknown-key');
  const { id, callsAtOnce, minutesPerDay, minutesPerCall } = publicKey;
  const { liveCalls, minutesToday } = await publicKeyUse(tx, { id, now: fields.startAt });
  if (liveCalls >= callsAtOnce) throw publicRefusal('calls-at-once');
  const left = Math.floor(minutesPerDay - minutesToday - liveCalls * minutesPerCall);
  if (left < 1) throw publicRefusal('minutes-per-day');
  const { assistant } = fields.snapshot;
  const maxCallDuration = Math.min(left, minutesPerCall, assistant.maxCallDuration);
  const snapshot = { ...fields.snapshot, assistant: { ...assistant, maxCallDuration } };
  return { ...fields, snapshot, publicKeyId: id };
}
