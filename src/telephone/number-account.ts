import type { Carrier, CarrierAccount, CarrierCredentials, CarrierName } from '../ports/carrier.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Db } from '../store/db.ts';
import { findNumberCredentials, type NumberRecord } from '../store/numbers.ts';

/** A number with its carrier and the account it is reached by. */
export interface NumberLine {
  readonly number: NumberRecord;
  readonly carrier: Carrier;
  readonly account: CarrierAccount;
}

/** Opens the account of a number: its own, else the operator's; undefined when there is neither. */
export async function openNumberLine(
  { db, carriers }: { readonly db: Db; readonly carriers: Carriers },
  number: NumberRecord,
): Promise<NumberLine | undefined> {
  const carrier = carriers.find(number.provider) as Carrier | undefined;
  if (!carrier) return undefined;
  const own = await findNumberCredentials(db, { teamId: number.teamId, id: number.id });
  const credentials: CarrierCredentials[CarrierName] | undefined =
    own ?? carriers.ownCredentials(number.provider);
  return credentials && { number, carrier, account: carrier.open(credentials) };
}
