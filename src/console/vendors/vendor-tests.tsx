import type { VendorTest } from '../../client/api.generated.ts';
import { Badge } from '../ui/badge.tsx';
import { PART_NAMES, vendorName } from './vendor-names.ts';

/** What came of trying each part of a vendor. */
export function VendorTests({ tests }: { readonly tests: readonly VendorTest[] }) {
  return (
    <ul class="vendor-tests" aria-label="Results of the test">
      {tests.map(({ part, name, ok, firstMs, note }) => (
        <li key={`${part} ${name}`}>
          <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'works' : 'failed'}</Badge>
          <span>
            {vendorName(name)}, {PART_NAMES[part]}
            {firstMs !== undefined && <span class="numeric">: {firstMs} ms</span>}
            <span class="soft"> {note}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
