import { useState } from 'preact/hooks';
import type { VendorTest } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { faultText } from '../ui/fault-text.ts';
import { useAction } from '../use-action.ts';
import { TEST_MS } from '../vendors/vendor-card.tsx';
import { vendorName } from '../vendors/vendor-names.ts';
import { VendorTests } from '../vendors/vendor-tests.tsx';
import '../vendors/vendors.css';

/** The vendors whose accounts are used, each to be tried with a press. */
export function UsedVendors({ vendors }: { readonly vendors: readonly string[] }) {
  const client = useClient();
  const [shown, setShown] = useState<{
    readonly vendor: string;
    readonly tests?: readonly VendorTest[];
  }>();
  const test = useAction(async (vendor: string) => {
    setShown({ vendor });
    const tests = await client.call('testVendor', { path: { vendor }, timeoutMs: TEST_MS });
    setShown({ vendor, tests });
  });
  if (vendors.length === 0) return null;
  return (
    <>
      <div class="row">
        {vendors.map((vendor) => (
          <Button
            key={vendor}
            small
            busy={test.busy && shown?.vendor === vendor}
            onClick={() => void test.run(vendor)}
          >
            Test {vendorName(vendor)}
          </Button>
        ))}
      </div>
      <div aria-live="polite">
        {test.busy && shown && (
          <p class="soft">
            Asking {vendorName(shown.vendor)}. Speech-to-text listens for some seconds …
          </p>
        )}
        {test.error !== undefined && <Callout tone="bad">{faultText(test.error)}</Callout>}
        {shown?.tests && <VendorTests tests={shown.tests} />}
      </div>
    </>
  );
}
