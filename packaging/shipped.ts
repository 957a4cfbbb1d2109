import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  /** A folder of this project. */
  readonly link?: boolean;
}

/** A package that the service installs or has built in. */
export interface ShippedPackage {
  /** Its folder, from the root of the project; absent where it is for other machines. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** All that is no development dependency, by the lock file. */
export function shippedPackages(): readonly ShippedPackage[] {
  const lock = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'),
  ) as { readonly packages: Readonly<Record<string, Locked>> };
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
    .map(([path, { version = '', license = '' }]) => ({
      ...{ path, version, licence: license },
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    }));
}
