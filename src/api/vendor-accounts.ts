import { missing } from '../contract/errors.ts';
import type { TeamVendor } from '../contract/team.ts';
import { VENDOR_ACCOUNTS } from '../lib/vendor-accounts.ts';
import { listVendorAccounts } from '../store/vendor-credentials.ts';
import type { ApiDeps } from './deps.ts';

type Deps = Pick<ApiDeps, 'db' | 'hasAccount'>;

/** Every vendor that needs an account, and whose account the team uses. */
export async function readVendorAccounts(
  { db, hasAccount = () => false }: Deps,
  teamId: string,
): Promise<TeamVendor[]> {
  const own = await listVendorAccounts(db, { teamId });
  return VENDOR_ACCOUNTS.map((vendor): TeamVendor => {
    const record = own.find((one) => one.vendor === vendor);
    if (!record) return { vendor, account: hasAccount(vendor) ? 'service' : 'none' };
    const { baseUrl, concurrency, updatedAt } = record;
    return {
      vendor,
      account: 'team',
      updatedAt: updatedAt.toISOString(),
      ...(baseUrl === null ? {} : { baseUrl }),
      ...(concurrency === null ? {} : { concurrency }),
    };
  });
}

/** One of {@link readVendorAccounts}. Throws Problem if there is no such vendor. */
export async function readVendorAccount(
  deps: Deps,
  params: { readonly teamId: string; readonly vendor: string },
): Promise<TeamVendor> {
  const accounts = await readVendorAccounts(deps, params.teamId);
  const account = accounts.find(({ vendor }) => vendor === params.vendor);
  if (!account) throw missing('vendorAccount');
  return account;
}
