import type { Metafile } from 'esbuild';
import { shippedPackages } from './shipped.ts';

/** What is read and written of a CycloneDX bill of materials. */
interface Bill {
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

/** The bill of what the package installs, completed by the packages that are built into it. */
export function completeBill<T extends Bill>(bill: T, { inputs }: Metafile): T {
  const known = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const paths = Object.keys(inputs);
  const builtIn = shippedPackages().filter(
    ({ path, name, version }) =>
      !known.has(`${name}@${version}`) &&
      paths.some(
        (input) =>
          input.startsWith(`${path}/`) && !input.slice(path.length + 1).includes('node_modules/'),
      ),
  );
  const components = builtIn.map(({ name, version, licence }) => ({
    'bom-ref': `${name}@${version}`,
    type: 'library',
    ...{ name, version },
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ expression: licence }],
  }));
  return { ...bill, components: [...bill.components, ...components] };
}
