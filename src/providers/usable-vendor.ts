import { ProviderError } from '../lib/errors.ts';

/** How this service reaches a vendor. */
export interface VendorAccess {
  readonly apiKey?: string;
  /** As the vendor's own SDK takes it. */
  readonly baseUrl?: string;
  /** Requests of one kind at once. */
  readonly concurrency?: number;
}

/** Access by the vendors' names in the environment, e.g. `AZURE_OPENAI`. */
export type VendorAccesses = Readonly<Partial<Record<string, VendorAccess>>>;

/** A registered vendor's name in the environment: `azure-openai` is `AZURE_OPENAI` there. */
function environmentName(vendor: string): string {
  return vendor.toUpperCase().replaceAll('-', '_');
}

export function findAccess(accesses: VendorAccesses, vendor: string): VendorAccess {
  return accesses[environmentName(vendor)] ?? {};
}

/** The vendor's key; a vendor without one is a mistake of the operator's that is told as such. */
export function requireKey(accesses: VendorAccesses, vendor: string): string {
  const { apiKey } = findAccess(accesses, vendor);
  if (apiKey) return apiKey;
  throw new ProviderError({
    class: 'auth',
    provider: vendor,
    code: 'no_key',
    message: `${vendor} has no key: set ${environmentName(vendor)}_API_KEY`,
  });
}

export function unusable(vendor: string, code: string, message: string): ProviderError {
  return new ProviderError({ class: 'invalid', provider: vendor, code, message });
}
