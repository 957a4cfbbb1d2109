import type { Carrier, CarrierAccount, CarrierCredentials, CarrierName } from '../ports/carrier.ts';
import type { Carriers } from '../ports/carriers.ts';
import { findCallOfAnyTeam } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { listDialNumbers } from '../store/dial-numbers.ts';
import { findNumberCredentials, type NumberRecord } from '../store/numbers.ts';

/** A number with its carrier and the carrier's account. */
export interface NumberLine {
  readonly number: NumberRecord;
  readonly carrier: Carrier;
  readonly account: CarrierAccount;
}

/** Opens the account of a number: its own, else the operator's; undefined if there is neither. */
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

/** The number from which a live call dials: its own, else the team's first that may call out. */
export async function findDialLine(
  deps: { readonly db: Db; readonly carriers: Carriers },
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
