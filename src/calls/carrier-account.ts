import { Problem } from '../contract/errors.ts';
import { ProviderError } from '../lib/errors.ts';
import type {
  CarrierAccount,
  CarrierCredentials,
  CarrierName,
  CarrierNumbers,
} from '../ports/carrier.ts';
import type { Carriers } from '../ports/carriers.ts';

const CARRIER_DEADLINE_MS = 15_000;

type Credentials = CarrierCredentials[CarrierName];

/** Opens an account at a carrier with the given credentials, or else with those of the service. Throws Problem. */
export function openAccount(
  carriers: Carriers,
  name: CarrierName,
  credentials: Credentials | undefined,
): CarrierAccount {
  const carrier = carriers.find(name);
  if (!carrier)
    throw new Problem({ kind: 'conflict', message: `This service has no line to ${name}` });
  const key = credentials ?? carriers.ownCredentials(name);
  if (!key)
    throw new Problem({
      kind: 'conflict',
      message: `There are no credentials for ${name}: the number has none, and neither has the service`,
    });
  return carrier.open(key as never);
}

/** The account's functions for numbers. Throws Problem if the carrier has none. */
export function numbersOf(account: CarrierAccount): CarrierNumbers {
  if (account.numbers) return account.numbers;
  throw new Problem({
    kind: 'conflict',
    message: `${account.carrier} has no numbers to look for, buy or release`,
  });
}

/** Sends a request to a carrier with a deadline. Failures are thrown as Problem of the kind `vendor`. */
export async function askCarrier<T>(
  name: CarrierName,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(CARRIER_DEADLINE_MS);
  try {
    return await ask(signal);
  } catch (cause) {
    if (signal.aborted)
      throw new Problem({ kind: 'vendor', message: `${name} did not answer in time`, cause });
    if (cause instanceof ProviderError)
      throw new Problem({ kind: 'vendor', message: cause.message, cause });
    throw cause;
  }
}
