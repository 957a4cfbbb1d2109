import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { INSIDE } from '../../packaging/inside.ts';
import { thirdPartyNotices } from '../../packaging/notices.ts';
import { shippedPackages } from '../../packaging/shipped.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const notices = thirdPartyNotices();

/** What is compiled in a package: its files that are no scripts or texts. */
function compiledIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => !file.isDirectory() && !file.parentPath.includes('lib/postgresql'))
    .filter(
      ({ name, parentPath }) =>
        /\.(?:wasm|so[.\d]*|dylib|dll|a)$/.test(name) || /native\/bin$/.test(parentPath),
    )
    .map(({ name }) => name);
}

test('every package that is shipped is named with its version and terms', () => {
  for (const { name, version, licence } of shippedPackages()) {
    const start = notices.indexOf(`\n${name} ${version}\nLicence: ${licence}\n`);
    expect(start, name).toBeGreaterThan(0);
  }
});

test.each([...new Set(INSIDE.map(({ carrier }) => carrier))])(
  'all that is compiled into %s is named',
  (carrier) => {
    const parts = INSIDE.filter((part) => part.carrier === carrier);
    const unnamed = compiledIn(join(ROOT, 'node_modules', carrier)).filter(
      (file) => !parts.some(({ files }) => files.some((start) => file.startsWith(start))),
    );
    expect(unnamed).toEqual([]);
  },
);

test('a package that brings WebAssembly is looked into', () => {
  const carriers = INSIDE.map(({ carrier }) => carrier);
  const built = shippedPackages()
    .filter(({ path, name }) => {
      try {
        return !name.startsWith('@esbuild') && compiledIn(join(ROOT, path)).length > 0;
      } catch {
        // For other machines.
        return false;
      }
    })
    .filter(({ name }) => !carriers.some((carrier) => name.startsWith(carrier)));
  expect(built.map(({ name }) => name)).toEqual([]);
});

test.each([
  ['PostgreSQL', 'The Regents of the University of California'],
  ['OpenSSL', 'Eric Young'],
  ['ICU', 'Unicode, Inc.'],
  ['Flite', 'Carnegie Mellon University'],
  ['the French model', 'Universite du Maine'],
  ['the English model', 'Alpha Cephei'],
  ['Silero', 'Silero Team'],
  ['Opus', 'Xiph.Org'],
])('the terms of %s name who made it', (_what, words) => {
  expect(notices).toContain(words);
});
