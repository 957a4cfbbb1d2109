import { ProviderError } from '../lib/errors.ts';
import {
  environmentName,
  type VendorAccess,
  type VendorAccesses,
  type VendorAccount,
} from '../lib/vendor-accounts.ts';

export type { VendorAccesses, VendorAccount };

export function findAccess(accesses: VendorAccesses, account: VendorAccount): VendorAccess {
  return accesses[environmentName(account)] ?? {};
}

/** The account's key; throws a ProviderError that names the missing setting. */
export function requireKey(accesses: VendorAccesses, account: VendorAccount): string {
  const { apiKey } = findAccess(accesses, account);
  if (apiKey) return apiKey;
  throw new ProviderError({
    class: 'auth',
    provider: account,
    code: 'no_key',
    message: `${account} has no key: set it on the console’s page Vendors, or set ${environmentName(account)}_API_KEY`,
  });
}

export function unusable(vendor: string, code: string, message: string): ProviderError {
  return new ProviderError({ class: 'invalid', provider: vendor, code, message });
}
