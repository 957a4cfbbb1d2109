import { startAsteriskEmulator } from '../carriers/emulator/asterisk-side.ts';
import type { EmulatedCall, EmulatedCarrier } from '../carriers/emulator/emulated-carrier.ts';
import { startTelnyxEmulator } from '../carriers/emulator/telnyx-side.ts';
import { startTwilioEmulator } from '../carriers/emulator/twilio-side.ts';
import { systemClock } from '../lib/system-clock.ts';
import type { CarrierCredentials } from '../ports/carrier.ts';
import { CliError } from './cli-error.ts';
import type { ConnectCaller } from './connect-caller.ts';
import { PhoneCaller, type PhonedCall } from './phone-caller.ts';
import type { ServiceClient } from './service-client.ts';

export type PhoneCarrier = 'twilio' | 'telnyx' | 'asterisk' | 'emulator';

/** A phone number of the service and a person who can call it or be called by it. */
export interface PhoneLine extends AsyncDisposable {
  /** Settings that point the service at this carrier; undefined if any running service will do. */
  readonly environment: Readonly<Record<string, string>> | undefined;
  /** Calls the assistant, or is called by it if `outbound`. */
  caller(
    client: ServiceClient,
    options: { readonly assistantId: string; readonly outbound: boolean },
  ): ConnectCaller;
  /** Detaches the number from the assistant. */
  release(client: ServiceClient): Promise<void>;
}

/** From the range reserved for fictional numbers. */
const OUR_NUMBER = '+15005550199';
const USER_NUMBER = '+15005550100';
const ANSWER_MS = 20_000;
/** Time a person takes to pick up. */
const RING_MS = 1500;

/** An emulated carrier on this machine, with one number of the service and one caller. */
export class CarrierLine implements PhoneLine {
  #numberId: string | undefined;
  readonly #carrier: EmulatedCarrier;

  private constructor(carrier: EmulatedCarrier) {
    this.#carrier = carrier;
  }

  static async start(via: Exclude<PhoneCarrier, 'emulator'>): Promise<CarrierLine> {
    const clock = systemClock;
    const start = {
      twilio: () => startTwilioEmulator('twilio', { clock }),
      telnyx: () => startTelnyxEmulator({ clock }),
      asterisk: () => startAsteriskEmulator({ clock }),
    };
    return new CarrierLine((await start[via]()) as unknown as EmulatedCarrier);
  }

  /** Settings that point the service at this carrier. */
  get environment(): Readonly<Record<string, string>> {
    const { name, baseUrl, credentials } = this.#carrier;
    if (name !== 'asterisk') return { [`${name.toUpperCase()}_BASE_URL`]: baseUrl };
    // These override the operator's own Asterisk settings.
    const { ariUrl, user, password } = credentials as CarrierCredentials['asterisk'];
    return { ASTERISK_ARI_URL: ariUrl, ASTERISK_ARI_USER: user, ASTERISK_ARI_PASSWORD: password };
  }

  caller(
    client: ServiceClient,
    options: { readonly assistantId: string; readonly outbound: boolean },
  ): ConnectCaller {
    return async (onFrame) => {
      const carrier = this.#carrier;
      const at = `${client.url}/carriers/${carrier.name}`;
      carrier.addNumber(OUR_NUMBER, { voiceUrl: `${at}/voice`, smsUrl: `${at}/sms` });
      const numberId = await client.importNumber(carrier.name, {
        number: OUR_NUMBER,
        credentials: carrier.credentials,
      });
      this.#numberId = numberId;
      await client.attachNumber(numberId, options.assistantId);
      const call = options.outbound
        ? await this.#receive(client, numberId)
        : await carrier.call({ from: USER_NUMBER, to: OUR_NUMBER });
      await connected(call);
      return PhoneCaller.follow(phoned(call), client, onFrame);
    };
  }

  async release(client: ServiceClient): Promise<void> {
    if (this.#numberId !== undefined) await client.attachNumber(this.#numberId, '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#carrier[Symbol.asyncDispose]();
  }

  async #receive(client: ServiceClient, numberId: string): Promise<EmulatedCall> {
    const carrier = this.#carrier;
    const answered = Promise.withResolvers<EmulatedCall>();
    carrier.behaviour = () => ({ outcome: 'answer', ringMs: RING_MS });
    carrier.onAnswered = answered.resolve;
    await client.dial(numberId, USER_NUMBER);
    return answered.promise;
  }
}

function phoned(call: EmulatedCall): PhonedCall {
  return {
    userNumber: USER_NUMBER,
    handset: call.handset,
    ended: call.ended,
    hangup: () => call.hangup(),
  };
}

async function connected(call: EmulatedCall): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = systemClock.setTimeout(
    () => late.reject(new CliError('the call was not answered in time')),
    ANSWER_MS,
  );
  try {
    await Promise.race([call.connected, late.promise]);
  } catch (error) {
    throw error instanceof CliError ? error : new CliError((error as Error).message);
  } finally {
    systemClock.clearTimeout(timer);
  }
}
