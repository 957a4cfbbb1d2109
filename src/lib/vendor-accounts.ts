/** The vendors that need an account, by the names that assistants use. Each one's settings follow from its row here. */
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

/** How this service reaches a vendor. */
export interface VendorAccess {
  readonly apiKey?: string;
  /** As the vendor's own SDK takes it. */
  readonly baseUrl?: string;
  /** Requests of one kind at once. */
  readonly concurrency?: number;
}

export type VendorAccesses = Readonly<Partial<Record<KeyedVendor, VendorAccess>>>;
