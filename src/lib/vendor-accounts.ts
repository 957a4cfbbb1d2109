/** The vendors that need an account, as assistants name them. Their settings are derived from this table. */
export const VENDOR_ACCOUNTS = [
  'openai',
  'azure-openai',
  'google',
  'deepseek',
  'anthropic',
  'deepgram',
  'assemblyai',
  'elevenlabs',
  'cartesia',
] as const;

export type VendorAccount = (typeof VENDOR_ACCOUNTS)[number];

type Screaming<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Uppercase<Head>}_${Screaming<Tail>}`
  : Uppercase<Name>;

/** An account's name in the environment, e.g. `AZURE_OPENAI` in `AZURE_OPENAI_API_KEY`. */
export type KeyedVendor = Screaming<VendorAccount>;

export function environmentName<Account extends VendorAccount>(
  account: Account,
): Screaming<Account> {
  return account.toUpperCase().replaceAll('-', '_') as Screaming<Account>;
}

/** Access to a vendor. */
export interface VendorAccess {
  readonly apiKey?: string;
  /** In the form that the vendor's own SDK expects. */
  readonly baseUrl?: string;
  /** Concurrent requests of one kind. */
  readonly concurrency?: number;
}

export type VendorAccesses = Readonly<Partial<Record<KeyedVendor, VendorAccess>>>;
