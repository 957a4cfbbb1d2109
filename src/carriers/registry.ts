import type { Carrier, CarrierCredentials, CarrierName } from '../ports/carrier.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Clock } from '../ports/clock.ts';
import { createAsteriskCarrier } from './asterisk/carrier.ts';
import { guardedReach } from './asterisk/guarded-reach.ts';
import { createTelnyxCarrier } from './telnyx/carrier.ts';
import { createTwilioCarrier } from './twilio/carrier.ts';

export interface CarrierRegistryOptions {
  /** The operator's own accounts. */
  readonly accounts: Partial<CarrierCredentials>;
  readonly baseUrls: Partial<Record<CarrierName, string>>;
  readonly clock: Clock;
  /** For servers that teams name, which are not to be found on private addresses. */
  readonly guard: Omit<Parameters<typeof guardedReach>[0], 'clock'>;
}

export interface CarrierRegistry extends Carriers {
  readonly all: readonly Carrier[];
}

/** Every carrier this service speaks to, with the operator's own accounts. */
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
      // Where the operator's own stands is the operator's affair.
      reach: (ariUrl) => (ariUrl === accounts.asterisk?.ariUrl ? {} : guarded),
    }),
    // It speaks as Twilio does, and is nowhere where it was not started.
    ...(baseUrls.emulator
      ? { emulator: createTwilioCarrier({ name: 'emulator', clock, ...at('emulator') }) }
      : {}),
  };
  return {
    all: Object.values(carriers) as unknown as readonly Carrier[],
    find: (name) => carriers[name],
    ownCredentials: (name) => accounts[name],
  };
}
