import './vendors.css';
import type { TeamVendor, VendorPart } from '../../client/api.generated.ts';
import { may, useClient } from '../session.ts';
import { Callout } from '../ui/callout.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useLoad } from '../use-load.ts';
import { VendorCard } from './vendor-card.tsx';
import { PART_NAMES, vendorName } from './vendor-names.ts';

/** The team's keys at vendors: set, test, remove; and what needs none. */
export function VendorsPage() {
  const client = useClient();
  const vendors = useLoad((signal) => client.call('listVendors', { signal }), [client]);
  const { data, error, reload } = vendors;
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Vendors"
        lead="Services that transcribe callers, write the replies and speak them. The built-in ones need no key."
      />
      {!may('admin') && <Callout>Admins set and remove keys; builders may test them.</Callout>}
      {error !== undefined && (
        <ErrorState title="The vendors could not be loaded" error={error} onRetry={reload} />
      )}
      {!data && error === undefined && (
        <div class="late">
          <Skeleton lines={6} />
        </div>
      )}
      {data && (
        <>
          <ul id="vendors" class="vendors" aria-label="Vendors">
            {data.accounts.toSorted(byReadiness).map((account) => (
              <VendorCard
                key={account.vendor}
                account={account}
                parts={data.parts.filter((part) => part.account === account.vendor)}
                onChanged={reload}
              />
            ))}
          </ul>
          <Keyless parts={data.parts.filter(({ account }) => account === undefined)} />
        </>
      )}
    </section>
  );
}

/** Those with a key first. */
const byReadiness = (one: TeamVendor, other: TeamVendor): number =>
  Number(one.account === 'none') - Number(other.account === 'none');

function Keyless({ parts }: { readonly parts: readonly VendorPart[] }) {
  return (
    <section class="stack" aria-labelledby="keyless-title">
      <h2 id="keyless-title">Without a key</h2>
      <ul class="vendors-keyless">
        {parts.map(({ part, name, missing }) => (
          <li key={`${part} ${name}`}>
            {vendorName(name)} <span class="soft">{PART_NAMES[part]}</span>
            {missing !== undefined && (
              <span class="soft">, needs {missing}: the operator sets it up</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
