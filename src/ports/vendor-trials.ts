import type {
  VendorPart,
  VendorTest,
  VendorVoice,
  VoiceSampleRequest,
} from '../contract/vendor-account.ts';

/** Which team asks, and whom. */
export interface VendorRequest {
  readonly teamId: string;
  readonly vendor: string;
  readonly signal: AbortSignal;
}

/** What a team can find out about vendors with the accounts that it uses. Failures are ProviderErrors. */
export interface VendorTrials {
  /** Reads the accounts of teams again, so that what follows uses a key that was just set. */
  refresh(): Promise<void>;
  /** What an assistant of the team may name, and whether it is ready. */
  parts(teamId: string): readonly VendorPart[];
  /** Tries each part of the account `vendor`; a failure is a result. */
  test(request: VendorRequest): Promise<readonly VendorTest[]>;
  /** Undefined for a vendor without models. */
  models(request: VendorRequest): Promise<readonly string[] | undefined>;
  /** Undefined for a vendor without voices. */
  voices(request: VendorRequest): Promise<readonly VendorVoice[] | undefined>;
  /** The sample as a WAV file; undefined for a vendor without voices. */
  speak(
    request: Omit<VendorRequest, 'vendor'> & VoiceSampleRequest,
  ): Promise<Uint8Array | undefined>;
}
