import type { CarrierCredentials, CarrierName } from '../../ports/carrier.ts';
import type { Handset } from './handset.ts';

/** What a dialled party does. */
export type DialledBehaviour =
  | { readonly outcome: 'answer' | 'busy' | 'no-answer' | 'failed'; readonly ringMs: number }
  /** The request to dial itself is refused. */
  | { readonly outcome: 'refuse' };

/** A call at an emulated carrier, as the person at its far end has it. */
export interface EmulatedCall {
  readonly carrierCallId: string;
  readonly from: string;
  readonly to: string;
  readonly handset: Handset;
  /** Resolves when the first media socket has started; rejects when the call ends before. */
  readonly connected: Promise<void>;
  /** How many media sockets it has had. */
  readonly sockets: number;
  /** Resolves with the carrier's word for how the call ended. */
  readonly ended: Promise<string>;
  hangup(): void;
}

export interface EmulatedText {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** What goes wrong on demand. */
export interface EmulatorFaults {
  /** Status callbacks as they are really delivered: late, twice, in another order. */
  deliver?: ((statuses: readonly (() => Promise<void>)[]) => Promise<void>) | undefined;
  /** The next requests whose path holds this are answered with this status, and this body instead of an error. */
  readonly answers: { readonly path: string; readonly status: number; readonly json?: object }[];
}

/** A carrier on this machine that behaves as the vendor's pages say. */
export interface EmulatedCarrier<Name extends CarrierName = CarrierName> extends AsyncDisposable {
  readonly name: Name;
  /** What the service's own base URL setting is pointed at. */
  readonly baseUrl: string;
  readonly credentials: CarrierCredentials[Name];
  readonly faults: EmulatorFaults;
  /** Texts that the service sent. */
  readonly texts: readonly EmulatedText[];
  /** Tones that the service sent by command. */
  readonly tones: readonly { readonly carrierCallId: string; readonly digits: string }[];
  /** Calls that the service dialled, as they were answered. */
  readonly dialled: readonly EmulatedCall[];
  /** Calls that it was asked to hand on without the service, and to whom. */
  readonly referred: readonly { readonly carrierCallId: string; readonly to: string }[];
  /** What the far end says once it has taken a caller over: it hangs up, says so, or nothing. @defaultValue hangs-up */
  takesOver?: 'hangs-up' | 'says-so' | 'says-nothing';
  /** What a dialled party does. @defaultValue answers after 50 ms */
  behaviour: (call: { readonly from: string; readonly to: string }) => DialledBehaviour;
  /** Told of each call that a dialled party answered. */
  onAnswered: ((call: EmulatedCall) => void) | undefined;
  /** A number of the account, and where the service hears of its calls and texts. */
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
