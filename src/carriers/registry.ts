import type { Carrier, CarrierCredentials, CarrierName } from '../ports/carrier.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Clock } from '../ports/clock.ts';
import { createAsteriskCarrier } from './asterisk/carrier.ts';
import { guardedReach } from './asterisk/guarded-reach.ts';
import { createTelnyxCarrier } from './telnyx/carrier.ts';
import { createTwilioCarrier } from './twilio/carrier.ts';

export interface CarrierRegistryOptions {
  /** The operator's accounts. */
  readonly accounts: Partial<CarrierCredentials>;
  readonly baseUrls: Partial<Record<CarrierName, string>>;
  readonly clock: Clock;
  /** Guards requests to servers that teams configure, which must not be at private addresses. */
  readonly guard: Omit<Parameters<typeof guardedReach>[0], 'clock'>;
}

export interface CarrierRegistry extends Carriers {
  readonly all: readonly Carrier[];
}

/** All carriers that the service supports, with the operator's accounts. */
export function createCarriers(options: CarrierRegistryOptions): CarrierRegistry {
  const { accounts, baseUrls, clock } = options;
  const guarded = guardedReach({ ...options.guard, clock });
  const at = (name: CarrierName) => {
    const baseUrl = baseUrls[name];
    return baseUrl === undefined ? {} : { baseUrl };
  };
  const carriers: { readonly [Name in CarrierName]?: Carrier<Name> } = {
    twilio: createTwilioCarrier({ name: 'twilio', clock, ...at('twilio') }),
    telnyx: createTelnyxCarrier({ clock, ...at('telnyx') }),
    asterisk: createAsteriskCarrier({
      clock,
      // The operator's own server may be at a private address.
      reach: (ariUrl) => (ariUrl === accounts.asterisk?.ariUrl ? {} : guarded),
    }),
    // The built-in carrier uses Twilio's protocol and exists only if it was started.
    ...(baseUrls.emulator
      ? { emulator: createTwilioCarrier({ name: 'emulator', clock, ...at('emulator') }) }
      : {}),
  } satisfies { readonly [Name in Exclude<CarrierName, 'emulator'>]: Carrier<Name> };
  return {
    all: Object.values(carriers) as unknown as readonly Carrier[],
    find: (name) => carriers[name],
    ownCredentials: (name) => accounts[name],
  };
}
