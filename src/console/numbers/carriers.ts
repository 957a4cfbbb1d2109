import type { Number as PhoneNumber } from '../../client/api.generated.ts';

export type CarrierName = PhoneNumber['provider']['name'];

/** A field of a carrier account. */
export interface AccountField {
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  /** Masked on the page. */
  readonly secret?: boolean;
  readonly optional?: boolean;
  readonly maxLength: number;
}

interface CarrierFacts {
  readonly title: string;
  /** Description, to help choose a carrier. */
  readonly about: string;
  readonly account: readonly AccountField[];
  /** Numbers can be searched, bought and released. */
  readonly sells: boolean;
  /** Cost of buying a number. */
  readonly cost: string;
  /** How calls arrive from the carrier. */
  readonly calls: string;
  /** The service configures the carrier to send it calls. */
  readonly isConfiguredByService: boolean;
}

const SID: AccountField = { name: 'accountSid', label: 'Account SID', maxLength: 200 };
const TOKEN: AccountField = {
  name: 'authToken',
  label: 'Auth token',
  secret: true,
  maxLength: 200,
};

/** The carriers; the test carrier comes first. */
export const CARRIERS: Readonly<Record<CarrierName, CarrierFacts>> = {
  emulator: {
    title: 'Test carrier',
    about: 'Built in and free. Use any number, with this browser as the telephone.',
    account: [],
    sells: true,
    cost: 'Numbers of the test carrier cost nothing.',
    calls: 'Calls arrive at once, since this carrier is part of the service.',
    isConfiguredByService: false,
  },
  twilio: {
    title: 'Twilio',
    about: 'A number of your Twilio account.',
    account: [{ ...SID, help: 'Begins with AC.' }, TOKEN],
    sells: true,
    cost: 'Twilio charges your account for it at once, and every month until it is released.',
    calls:
      'Twilio is told where its calls go when the number is added, if the service has a public address (PUBLIC_URL).',
    isConfiguredByService: true,
  },
  telnyx: {
    title: 'Telnyx',
    about: 'A number of your Telnyx account.',
    account: [
      { name: 'apiKey', label: 'API key', secret: true, maxLength: 500 },
      {
        name: 'publicKey',
        label: 'Public key',
        help: 'In base64. It verifies webhooks from Telnyx.',
        maxLength: 200,
      },
      {
        name: 'connectionId',
        label: 'Connection id',
        help: 'The Call Control application for outbound calls.',
        maxLength: 200,
      },
      {
        name: 'messagingProfileId',
        label: 'Messaging profile id',
        help: 'For text messages.',
        optional: true,
        maxLength: 200,
      },
    ],
    sells: true,
    cost: 'Telnyx charges your account for it at once, and every month until it is released.',
    calls:
      'Telnyx is told where its calls go when the number is added, if the service has a public address (PUBLIC_URL).',
    isConfiguredByService: true,
  },
  asterisk: {
    title: 'Asterisk',
    about: 'A number of a SIP trunk at your own Asterisk.',
    account: [
      {
        name: 'ariUrl',
        label: 'ARI URL',
        help: 'Such as http://pbx:8088/ari.',
        maxLength: 2000,
      },
      { name: 'user', label: 'User', maxLength: 200 },
      { name: 'password', label: 'Password', secret: true, maxLength: 500 },
      {
        name: 'dialEndpoint',
        label: 'Dial endpoint',
        help: 'Contains {number}, such as PJSIP/{number}@trunk.',
        optional: true,
        maxLength: 500,
      },
      { name: 'websocketClient', label: 'WebSocket client', optional: true, maxLength: 200 },
      { name: 'application', label: 'Application', optional: true, maxLength: 200 },
      {
        name: 'mediaFormat',
        label: 'Audio format',
        help: 'One of ulaw, alaw, slin and slin16. Default ulaw.',
        optional: true,
        maxLength: 20,
      },
      {
        name: 'referUri',
        label: 'REFER URI for transfers',
        help: 'Contains {number}, such as sip:{number}@trunk.example. Leave empty to dial the operator and bridge the calls.',
        optional: true,
        maxLength: 500,
      },
    ],
    sells: false,
    cost: '',
    calls:
      'The service connects to your Asterisk, whose dialplan passes calls of this number to the application.',
    isConfiguredByService: false,
  },
};

export const CARRIER_NAMES = Object.keys(CARRIERS) as readonly CarrierName[];
