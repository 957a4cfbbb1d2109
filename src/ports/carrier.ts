import type { PhoneCallStatus } from '../contract/call.ts';
import type { CarrierMediaProtocol } from './carrier-media.ts';

/** The telephony vendors; `asterisk` is one's own SIP trunk, `emulator` the built-in carrier for tests and trials. */
export type CarrierName = 'twilio' | 'telnyx' | 'asterisk' | 'emulator';

/** What an account at a carrier is opened with. Secrets: sealed at rest, never shown, never logged. */
export interface CarrierCredentials {
  readonly twilio: { readonly accountSid: string; readonly authToken: string };
  readonly telnyx: {
    readonly apiKey: string;
    /** Base64 of the 32 bytes that webhooks are checked with. */
    readonly publicKey: string;
    /** The Call Control application that dials and gets the webhooks. */
    readonly connectionId: string;
    readonly messagingProfileId?: string;
  };
  readonly asterisk: {
    /** `http://asterisk:8088/ari` */
    readonly ariUrl: string;
    readonly user: string;
    readonly password: string;
    /** Where to dial, with `{number}` in it. @defaultValue `PJSIP/{number}@trunk` */
    readonly dialEndpoint?: string;
    /** Section of `websocket_client.conf` that leads to this service. @defaultValue `parley` */
    readonly websocketClient?: string;
    /** @defaultValue `parley` */
    readonly application?: string;
    /** How the call's sound is coded between Asterisk and this service. @defaultValue `ulaw` */
    readonly mediaFormat?: 'ulaw' | 'alaw' | 'slin' | 'slin16';
    /**
     * `sip:{number}@carrier`: blind transfers ask the far end, by REFER, to call there. Absent: the other telephone
     * is dialled and joined here.
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
  /** A `clear` sends the pending marks back; else they are lost. */
  readonly returnsMarksOnClear: boolean;
  readonly texts: boolean;
  readonly numbers: boolean;
  readonly machineDetection: boolean;
  /** Sound comes all the time, so that a socket on which none comes is dead; else it answers pings. */
  readonly sendsSilence: boolean;
  /** Nothing is sent on to the telephone while nothing comes from here, and networks forget a line that is still. */
  readonly needsSilence: boolean;
  /** A sound of one's own can be played behind the assistant. */
  readonly customBackgroundSound: boolean;
}

/** A request of the carrier, as it came: signatures are over its raw form. */
export interface CarrierRequest {
  readonly method: string;
  /** As the carrier knows it: scheme, public host, path, query. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** An answer to a {@link CarrierRequest}. */
export interface CarrierReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** What a webhook or event says, in one language for all carriers. `eventId` is the same for a repeated delivery. */
export type CarrierEvent = { readonly eventId: string } & (
  | {
      readonly type: 'call-arrived';
      readonly carrierCallId: string;
      readonly from: string;
      readonly to: string;
      readonly callerName?: string;
    }
  /** The dialled party answered and the carrier asks what to do, or it asks again after a lost socket. */
  | { readonly type: 'media-wanted'; readonly carrierCallId: string }
  | {
      readonly type: 'call-status';
      readonly carrierCallId: string;
      readonly status: PhoneCallStatus;
      /** The carrier's own word and SIP code, for the record. */
      readonly cause?: string;
      readonly sipCode?: number;
    }
  | {
      readonly type: 'machine-detected';
      readonly carrierCallId: string;
      readonly result: 'human' | 'machine' | 'machine-greeting-ended' | 'fax' | 'unknown';
    }
  | { readonly type: 'dtmf'; readonly carrierCallId: string; readonly digit: string }
  /** What became of a {@link CarrierAccount.refer}; `cause` is why the far end did not take the caller over. */
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

/** An event of a carrier that does not number its own. */
export type UnnumberedEvent = Unnumbered<CarrierEvent>;

/** What a webhook must carry to be looked up before its signature can be checked. */
export interface CarrierAddressee {
  /** Our own id of the call, where we gave it along. */
  readonly callId?: string;
  /** Our number: the one called, or the one that calls. */
  readonly numbers: readonly string[];
}

/** Where one call's media and callbacks go. All absolute. */
export interface CallRoutes {
  /** Media socket, with its single-use token. */
  readonly mediaUrl: string;
  /** Asked for new instructions when the media socket is lost. */
  readonly fallbackUrl: string;
  readonly statusUrl: string;
}

export interface DialRequest {
  readonly to: string;
  readonly from: string;
  /** Ours; repeated at the carrier so that a retried request dials once. */
  readonly callId: string;
  /** Asked, or told, when the call is answered. */
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

/** The carrier's side of a team's numbers. All reject with ProviderError, or the signal's abort. */
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
  /** The carrier's id of a number that the account has; undefined when it has it not. */
  find(number: string, signal: AbortSignal): Promise<string | undefined>;
  configureWebhooks(numberId: string, webhooks: NumberWebhooks, signal: AbortSignal): Promise<void>;
  /** A number that is gone already counts as released. */
  release(numberId: string, signal: AbortSignal): Promise<void>;
}

/** One account at a carrier. Requests reject with ProviderError, or the signal's abort. */
export interface CarrierAccount {
  readonly carrier: CarrierName;
  /** Whether the request is the carrier's own, made lately. */
  verifyWebhook(request: CarrierRequest, nowMs: number): boolean;
  /** Has a call that waits for an answer stream its media. The reply goes to the webhook, if one asked. */
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
  /** Ends the leg at the carrier; one that has ended already counts as hung up. */
  hangup(carrierCallId: string, signal: AbortSignal): Promise<void>;
  /** Where the carrier takes tones as a command. */
  sendDtmf?(carrierCallId: string, digits: string, signal: AbortSignal): Promise<void>;
  /** Asks the far end to take the caller over, where that is wanted; a `referred` event says what came of it. */
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
  /** Names the source of its events: accounts with the same have the same events, which only one may follow. */
  readonly eventSource?: string;
  /** Of a carrier without webhooks: follows its events until closed, over every break of the connection. */
  openEvents?(listener: CarrierEventListener): CarrierEvents;
}

export interface CarrierEvents {
  /** Ids of the calls that stand at the carrier now. */
  standing(signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface CarrierEventListener {
  event(event: CarrierEvent): void;
  /** `problem` is why the connection is away, for the log. */
  connected(isConnected: boolean, problem?: string): void;
  /** Something that had to follow an event failed. */
  problem(error: Error): void;
}

/** A vendor of telephone lines: what it can do, what it says, and accounts at it. */
export interface Carrier<Name extends CarrierName = CarrierName> {
  readonly name: Name;
  readonly capabilities: CarrierCapabilities;
  /** A fresh protocol for one media socket. */
  createMediaProtocol(): CarrierMediaProtocol;
  /** Who a webhook is for, read without trust; undefined when it makes no sense. */
  addressee(request: CarrierRequest): CarrierAddressee | undefined;
  /** Reads a webhook whose signature was good. */
  readWebhook(request: CarrierRequest): readonly CarrierEvent[];
  /** The acknowledgement of a webhook that needs no instructions. */
  readonly acknowledgement: CarrierReply;
  /** The answer to one that asks what to do with a call that is over. */
  readonly goodbye: CarrierReply;
  open(credentials: CarrierCredentials[Name]): CarrierAccount;
}
