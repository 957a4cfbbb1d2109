import type { CarrierCredentials, CarrierName } from '../../ports/carrier.ts';
import type { Handset } from './handset.ts';

/** Why a telephone that rang was not answered. */
export type Unanswered = 'busy' | 'no-answer' | 'failed';

/** When a dialled party is reported to ring, from the dial on: soon, however long they let it ring. */
export const reportsRingingMs = (ringMs: number): number => Math.min(ringMs / 2, 1500);

/** The behaviour of a dialled party. */
export type DialledBehaviour =
  | {
      readonly outcome: 'answer' | Unanswered;
      readonly ringMs: number;
      /** What tells the service that a caller it referred was taken over. @defaultValue hangs-up */
      readonly takesOver?: 'hangs-up' | 'says-so';
    }
  /** The carrier refuses to dial. */
  | { readonly outcome: 'refuse' };

/** A call at an emulated carrier, seen from its far end. */
export interface EmulatedCall {
  readonly carrierCallId: string;
  readonly from: string;
  readonly to: string;
  readonly handset: Handset;
  /** Resolves when the first media socket has started; rejects if the call ends before. */
  readonly connected: Promise<void>;
  /** Number of media sockets so far. */
  readonly sockets: number;
  /** Resolves with the carrier's final status. */
  readonly ended: Promise<string>;
  hangup(): void;
}

/** A call whose carrier's process ended. */
export interface HeldCall {
  readonly carrierCallId: string;
  readonly from: string;
  readonly to: string;
  readonly direction: 'inbound' | 'outbound-api';
  /** Where its next document is. */
  readonly voiceUrl: string;
  readonly statusUrl?: string;
  /** It rang, and does so again for so long; absent if it was answered. */
  readonly ringSeconds?: number;
}

export interface EmulatedText {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** Faults that tests can inject. */
export interface EmulatorFaults {
  /** Delivers status callbacks, so that a test can delay, repeat or reorder them. */
  deliver?: ((statuses: readonly (() => Promise<void>)[]) => Promise<void>) | undefined;
  /** The next requests whose path contains `path` are answered with this status and body. */
  readonly answers: { readonly path: string; readonly status: number; readonly json?: object }[];
  /** True if the answer to this request for a document is lost on the way. */
  losesAnswer?: ((url: string) => boolean) | undefined;
  /** Breaks the connections of those who follow its events, where it has such. What happens meanwhile is told to nobody. */
  readonly breakEvents?: () => void;
}

/** A local carrier that behaves as the vendor documents. */
export interface EmulatedCarrier<Name extends CarrierName = CarrierName> extends AsyncDisposable {
  readonly name: Name;
  /** The value for the service's base URL setting of this carrier. */
  readonly baseUrl: string;
  readonly credentials: CarrierCredentials[Name];
  readonly faults: EmulatorFaults;
  /** Texts that the service sent. */
  readonly texts: readonly EmulatedText[];
  /** Tones that the service sent by command. */
  readonly tones: readonly { readonly carrierCallId: string; readonly digits: string }[];
  /** Calls that the service dialled, as they were answered. */
  readonly dialled: readonly EmulatedCall[];
  /** Calls for which the service requested a REFER, with the target. */
  readonly referred: readonly { readonly carrierCallId: string; readonly to: string }[];
  /** The far end's reaction after it accepted a REFER. @defaultValue hangs-up */
  takesOver?: 'hangs-up' | 'says-so' | 'says-nothing';
  /** Chooses the behaviour of a dialled party. @defaultValue answers after 50 ms */
  behaviour: (call: { readonly from: string; readonly to: string }) => DialledBehaviour;
  /** Called for each call that a dialled party answered. */
  onAnswered: ((call: EmulatedCall) => void) | undefined;
  /** Adds a number to the account, with the service's webhooks. */
  addNumber(number: string, webhooks: { readonly voiceUrl: string; readonly smsUrl: string }): void;
  /** Somebody calls a number of the account. */
  call(call: {
    readonly from: string;
    readonly to: string;
    readonly callerName?: string;
  }): Promise<EmulatedCall>;
  /** Somebody texts a number of the account. */
  text(text: { readonly from: string; readonly to: string; readonly text: string }): Promise<void>;
}

export const answersSoon: EmulatedCarrier['behaviour'] = () => ({ outcome: 'answer', ringMs: 50 });
