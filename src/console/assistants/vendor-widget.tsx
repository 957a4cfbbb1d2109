import { Link } from 'wouter-preact';
import type { VendorPart } from '../../client/api.generated.ts';
import type { WidgetProps } from '../form/form-scope.ts';
import { may } from '../session.ts';
import { Select } from '../ui/select.tsx';
import { vendorName } from '../vendors/vendor-names.ts';
import { useVendors } from './references.ts';

/** Choice of a vendor: each option says whether it is ready or what it needs. */
export function VendorWidget({
  id,
  path,
  text,
  schema,
  value,
  onChange,
  help,
  error,
}: WidgetProps) {
  const vendors = useVendors();
  const part = partOf(path);
  const find = (name: string) => vendors.find((one) => one.part === part && one.name === name);
  const current = typeof value === 'string' ? value : '';
  const known = schema.enum ?? [];
  const all = current === '' || known.includes(current) ? known : [current, ...known];
  const missing = find(current)?.missing;
  return (
    <div>
      <Select
        id={id}
        label={text.label}
        help={help}
        error={error}
        value={current}
        onChange={onChange}
        options={all.map((name) => ({
          value: name,
          label: `${vendorName(name)}${state(find(name))}`,
        }))}
      />
      {missing !== undefined && (
        <p class="vendor-missing">
          {vendorName(current)} needs {missing}: until then, calls are refused.{' '}
          {missing === 'a key' && may('admin') && <Link href="/vendors">Set the key</Link>}
        </p>
      )}
    </div>
  );
}

function partOf(path: string): VendorPart['part'] {
  if (path === 'assistantProvider') return 'model';
  return path.includes('ttsData') ? 'voice' : 'recogniser';
}

function state(part: VendorPart | undefined): string {
  if (!part) return '';
  return part.ready ? ' – ready' : ` – needs ${part.missing ?? 'a key'}`;
}
