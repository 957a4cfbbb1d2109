import type { Carrier, CarrierCredentials, CarrierName } from './carrier.ts';

/** The supported carriers. */
export interface Carriers {
  find<Name extends CarrierName>(name: Name): Carrier<Name> | undefined;
  /** Credentials from the service's own configuration, for numbers that have none. */
  ownCredentials<Name extends CarrierName>(name: Name): CarrierCredentials[Name] | undefined;
}
