import type { Carrier, CarrierCredentials, CarrierName } from './carrier.ts';

/** The carriers that this service speaks to. */
export interface Carriers {
  find<Name extends CarrierName>(name: Name): Carrier<Name> | undefined;
  /** The account of the service's own configuration: for numbers that bring no credentials. */
  ownCredentials<Name extends CarrierName>(name: Name): CarrierCredentials[Name] | undefined;
}
