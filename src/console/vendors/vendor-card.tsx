import { useState } from 'preact/hooks';
import type { TeamVendor, VendorPart, VendorTest } from '../../client/api.generated.ts';
import { may, useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { faultText } from '../ui/fault-text.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { VendorKeyDialog } from './vendor-key-dialog.tsx';
import { PART_NAMES, vendorName } from './vendor-names.ts';
import { VendorOffers } from './vendor-offers.tsx';
import { VendorTests } from './vendor-tests.tsx';

/** A recogniser hears its test in real time. */
export const TEST_MS = 60_000;

interface VendorCardProps {
  readonly account: TeamVendor;
  readonly parts: readonly VendorPart[];
  readonly onChanged: () => void;
}

/** A vendor: whose key is used, what it serves, and a test of it. */
export function VendorCard({ account, parts, onChanged }: VendorCardProps) {
  const client = useClient();
  const { vendor } = account;
  const name = vendorName(vendor);
  const [asked, setAsked] = useState<'key' | 'remove'>();
  const [tests, setTests] = useState<readonly VendorTest[]>();
  const test = useAction(async () => {
    setTests(undefined);
    setTests(await client.call('testVendor', { path: { vendor }, timeoutMs: TEST_MS }));
  });
  const hasKey = account.account !== 'none';
  const works = tests?.some(({ ok }) => ok) ?? false;
  return (
    <li class="vendor" id={`vendor-${vendor}`}>
      <div class="vendor-head">
        <h2>{name}</h2>
        <Whose account={account} />
        <span class="vendor-acts row">
          {hasKey && may('builder') && (
            <Button
              small
              busy={test.busy}
              aria-label={`Test ${name}`}
              onClick={() => void test.run()}
            >
              Test
            </Button>
          )}
          {may('admin') && (
            <Button
              small
              aria-label={`${keyAct(account)} of ${name}`}
              onClick={() => setAsked('key')}
            >
              {keyAct(account)}
            </Button>
          )}
          {account.account === 'team' && may('admin') && (
            <Button
              small
              kind="quiet"
              aria-label={`Remove key of ${name}`}
              onClick={() => setAsked('remove')}
            >
              Remove
            </Button>
          )}
        </span>
      </div>
      <p class="soft">{servesText(parts)}</p>
      <div aria-live="polite">
        {test.busy && <p class="soft">Asking {name}. Speech-to-text listens for some seconds …</p>}
        {test.error !== undefined && <Callout tone="bad">{faultText(test.error)}</Callout>}
        {tests && <VendorTests tests={tests} />}
        {works && <VendorOffers vendor={vendor} parts={parts} />}
      </div>
      {asked === 'key' && (
        <VendorKeyDialog
          vendor={vendor}
          onSaved={() => {
            setTests(undefined);
            onChanged();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'remove' && (
        <ConfirmDialog
          title={`Remove the key of ${name}?`}
          action="Remove"
          onConfirm={async () => {
            await client.call('removeVendorKey', { path: { vendor } });
            showToast(`The key of ${name} was removed.`);
            setTests(undefined);
            onChanged();
          }}
          onClose={() => setAsked(undefined)}
        >
          Live calls go on with it. New ones use the key of the service, if it has one; else they
          are refused.
        </ConfirmDialog>
      )}
    </li>
  );
}

const keyAct = ({ account }: TeamVendor): string =>
  ({ team: 'Replace key', service: 'Use your own key', none: 'Set key' })[account];

function Whose({ account: { account, updatedAt } }: { readonly account: TeamVendor }) {
  if (account === 'none') return <Badge tone="warn">needs a key</Badge>;
  if (account === 'service') return <Badge tone="good">ready: key of the environment</Badge>;
  return (
    <span class="row">
      <Badge tone="good">ready: your key</Badge>
      {updatedAt && (
        <span class="soft">
          set <RelativeTime at={updatedAt} />
        </span>
      )}
    </span>
  );
}

function servesText(parts: readonly VendorPart[]): string {
  return parts
    .map(({ part, name, account }) =>
      name === account ? PART_NAMES[part] : `${PART_NAMES[part]} (${vendorName(name)})`,
    )
    .join(', ')
    .replace(/^./, (first) => first.toUpperCase());
}
