import type { PhoneCallStatus } from '../contract/call.ts';
import type { CarrierMediaProtocol } from './carrier-media.ts';

/**
 * The telephony vendors. `asterisk` is the user's own SIP trunk, `emulator` the built-in carrier for tests and
 * trials.
 */
export type CarrierName = 'twilio' | 'telnyx' | 'asterisk' | 'emulator';

/** Credentials of an account at each carrier. Secrets: encrypted at rest, never shown, never logged. */
export interface CarrierCredentials {
  readonly twilio: { readonly accountSid: string; readonly authToken: string };
  readonly telnyx: {
    readonly apiKey: string;
    /** Base64 of the 32-byte public key that verifies webhooks. */
    readonly publicKey: string;
    /** The Call Control application that dials and receives the webhooks. */
    readonly connectionId: string;
    readonly messagingProfileId?: string;
  };
  readonly asterisk: {
    /** `http://asterisk:8088/ari` */
    readonly ariUrl: string;
    readonly user: string;
    readonly password: string;
    /** Dial string with a `{number}` placeholder. @defaultValue `PJSIP/{number}@trunk` */
    readonly dialEndpoint?: string;
    /** Section of `websocket_client.conf` that points to this service. @defaultValue `parley` */
    readonly websocketClient?: string;
    /** @defaultValue `parley` */
    readonly application?: string;
    /** Audio codec between Asterisk and this service. @defaultValue `ulaw` */
    readonly mediaFormat?: 'ulaw' | 'alaw' | 'slin' | 'slin16';
    /**
     * `sip:{number}@carrier`: blind transfers send a REFER that asks the far end to call this address. Absent: this
     * service dials the other telephone and bridges the two legs.
     */
    readonly referUri?: string;
  };
  readonly emulator: { readonly accountSid: string; readonly authToken: string };
}

export interface CarrierCapabilities {
  /** `in-band`: tones are sent as audio. */
  readonly dtmfOut: 'in-band' | 'command';
  readonly reportsRinging: boolean;
  readonly reportsEarlyMedia: boolean;
  /** True if a `clear` returns the pending marks; otherwise they are lost. */
  readonly returnsMarksOnClear: boolean;
  readonly texts: boolean;
  readonly numbers: boolean;
  readonly machineDetection: boolean;
  /** True if the carrier sends audio continuously: a socket without any is dead. If false, the socket answers pings. */
  readonly sendsSilence: boolean;
  /** True if the telephone receives nothing while we send nothing; networks drop a connection that stays silent. */
  readonly needsSilence: boolean;
  /** True if a custom sound can play behind the assistant. */
  readonly customBackgroundSound: boolean;
}

/** The carrier's raw request; signatures cover the raw form. */
export interface CarrierRequest {
  readonly method: string;
  /** The URL that the carrier called: scheme, public host, path, query. */
  readonly url: string;
  /** Lower-case header names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** An answer to a {@link CarrierRequest}. */
export interface CarrierReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * The media socket whose loss an event tells: by its number or its URL, or all that a dead process had. A newer one may
 * have been granted meanwhile.
 */
export type LostMedia =
  | { readonly attempt: number }
  | { readonly mediaUrl: string }
  | { readonly ofDeadProcess: true };

/** What a webhook or event reports, the same for all carriers. A repeated delivery has the same `eventId`. */
export type CarrierEvent = { readonly eventId: string } & (
  | {
      readonly type: 'call-arrived';
      readonly carrierCallId: string;
      readonly from: string;
      readonly to: string;
      readonly callerName?: string;
    }
  /** The dialled party answered and the carrier asks for instructions, or it asks again after a lost socket. */
  | { readonly type: 'media-wanted'; readonly carrierCallId: string; readonly lost?: LostMedia }
  | {
      readonly type: 'call-status';
      readonly carrierCallId: string;
      readonly status: PhoneCallStatus;
      /** The carrier's own cause text and SIP code, for the record. */
      readonly cause?: string;
      readonly sipCode?: number;
    }
  | {
      readonly type: 'machine-detected';
      readonly carrierCallId: string;
      readonly result: 'human' | 'machine' | 'machine-greeting-ended' | 'fax' | 'unknown';
    }
  | { readonly type: 'dtmf'; readonly carrierCallId: string; readonly digit: string }
  /** The result of a {@link CarrierAccount.refer}; `cause` says why the far end did not take the caller over. */
  | { readonly type: 'referred'; readonly carrierCallId: string; readonly cause?: string }
  | {
      readonly type: 'text-received';
      readonly messageId: string;
      readonly from: string;
      readonly to: string;
      readonly text: string;
    }
  | {
      readonly type: 'text-status';
      readonly messageId: string;
      readonly status: 'sent' | 'delivered' | 'failed';
      readonly cause?: string;
    }
);

type Unnumbered<Event> = Event extends CarrierEvent ? Omit<Event, 'eventId'> : never;

/** An event of a carrier that does not number its events. */
export type UnnumberedEvent = Unnumbered<CarrierEvent>;

/** What a webhook must contain to find its account before the signature can be checked. */
export interface CarrierAddressee {
  /** Our own id of the call, if we passed it to the carrier. */
  readonly callId?: string;
  /** Candidates for our number: the called number and the calling number. */
  readonly numbers: readonly string[];
}

/** URLs for one call's media and callbacks. All absolute. */
export interface CallRoutes {
  /** Media socket, with its single-use token. */
  readonly mediaUrl: string;
  /** The carrier asks here for new instructions when the media socket is lost. */
  readonly fallbackUrl: string;
  readonly statusUrl: string;
}

export interface DialRequest {
  readonly to: string;
  readonly from: string;
  /** Our call id; the carrier uses it to dial only once when a request is retried. */
  readonly callId: string;
  /** The carrier requests instructions from here, or reports here, when the call is answered. */
  readonly answerUrl: string;
  readonly statusUrl: string;
  readonly ringSeconds: number;
  readonly maxSeconds: number;
  readonly detectMachine?: boolean;
  readonly signal: AbortSignal;
}

export interface AvailableNumber {
  readonly number: string;
  readonly country: string;
  readonly region?: string;
  readonly locality?: string;
  readonly capabilities: { readonly voice: boolean; readonly sms: boolean };
}

export interface NumberWebhooks {
  readonly voiceUrl: string;
  readonly smsUrl: string;
  readonly statusUrl: string;
}

/** Where a carrier sends the calls of a number. */
export interface NumberRoute {
  /** Empty: nowhere. */
  readonly voiceUrl: string;
  /** Why the carrier does not use that address for this number, as the end of a sentence. */
  readonly obstacle?: string;
}

/** Manages a team's numbers at the carrier. All methods reject with ProviderError, or the signal's abort. */
export interface CarrierNumbers {
  available(query: {
    /** ISO 3166, two letters. */
    readonly country: string;
    readonly areaCode?: string;
    readonly contains?: string;
    readonly limit: number;
    readonly signal: AbortSignal;
  }): Promise<readonly AvailableNumber[]>;
  /** Resolves with the carrier's id of the number. */
  purchase(number: string, signal: AbortSignal): Promise<string>;
  /** The carrier's id of a number in this account; undefined when the account does not have it. */
  find(number: string, signal: AbortSignal): Promise<string | undefined>;
  configureWebhooks(numberId: string, webhooks: NumberWebhooks, signal: AbortSignal): Promise<void>;
  /** Where the carrier sends the calls of a number; undefined when the account does not have it. */
  inspect(number: string, signal: AbortSignal): Promise<NumberRoute | undefined>;
  /** A number that no longer exists counts as released. */
  release(numberId: string, signal: AbortSignal): Promise<void>;
}

/** One account at a carrier. Requests reject with ProviderError, or the signal's abort. */
export interface CarrierAccount {
  readonly carrier: CarrierName;
  /** True if the carrier signed the request recently. */
  verifyWebhook(request: CarrierRequest, nowMs: number): boolean;
  /**
   * Starts the media stream of a call that waits for instructions. The reply goes to the webhook that asked, if any.
   */
  connectMedia(
    call: { readonly carrierCallId: string; readonly answer: boolean; readonly attempt: number },
    routes: CallRoutes,
    signal: AbortSignal,
  ): Promise<CarrierReply>;
  /** Refuses a call that was not answered. */
  refuse(
    carrierCallId: string,
    reason: 'busy' | 'rejected',
    signal: AbortSignal,
  ): Promise<CarrierReply>;
  /** Resolves with the carrier's id of the new call. */
  dial(request: DialRequest): Promise<string>;
  /** Ends the leg at the carrier; a leg that has already ended counts as hung up. */
  hangup(carrierCallId: string, signal: AbortSignal): Promise<void>;
  /** Present where the carrier accepts DTMF as a command. */
  sendDtmf?(carrierCallId: string, digits: string, signal: AbortSignal): Promise<void>;
  /** Asks the far end to take the caller over; present where configured. A `referred` event reports the result. */
  refer?(carrierCallId: string, to: string, signal: AbortSignal): Promise<void>;
  /** Resolves with the carrier's id of the message. */
  sendText?(
    message: {
      readonly from: string;
      readonly to: string;
      readonly text: string;
      readonly statusUrl?: string;
    },
    signal: AbortSignal,
  ): Promise<string>;
  readonly numbers?: CarrierNumbers;
  /** Names the source of its events: accounts with the same name share the events, so only one may follow them. */
  readonly eventSource?: string;
  /** For a carrier without webhooks: true if somebody follows its events. */
  isFollowed?(signal: AbortSignal): Promise<boolean>;
  /** For a carrier without webhooks: follows its events until closed and reconnects after every loss. */
  openEvents?(listener: CarrierEventListener): CarrierEvents;
}

export interface CarrierEvents {
  /** Ids of the carrier's current calls. */
  standing(signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface CarrierEventListener {
  event(event: CarrierEvent): void;
  /** False while no more callers are taken: one who arrives now waits at the carrier until `standing` finds them. */
  mayArrive(): boolean;
  /** `problem` says why the connection is down, for the log. */
  connected(isConnected: boolean, problem?: string): void;
  /** The handling of an event failed. */
  problem(error: Error): void;
}

/** A telephony vendor: its capabilities, its protocols and its accounts. */
export interface Carrier<Name extends CarrierName = CarrierName> {
  readonly name: Name;
  readonly capabilities: CarrierCapabilities;
  /** Creates a protocol for one media socket. */
  createMediaProtocol(): CarrierMediaProtocol;
  /** Reads the addressee of a webhook before its signature is verified; undefined when the request is malformed. */
  addressee(request: CarrierRequest): CarrierAddressee | undefined;
  /** Reads a webhook with a verified signature. */
  readWebhook(request: CarrierRequest): readonly CarrierEvent[];
  /** The acknowledgement of a webhook that needs no instructions. */
  readonly acknowledgement: CarrierReply;
  /** The answer to a webhook that asks for instructions for a call that is over. */
  readonly goodbye: CarrierReply;
  open(credentials: CarrierCredentials[Name]): CarrierAccount;
}
