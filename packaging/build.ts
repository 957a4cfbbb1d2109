import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type Metafile, transform } from 'esbuild';
import { bundlePage } from '../src/api/console-bundle.ts';
import { buildReference } from '../src/api/reference/build-reference.ts';
import { bundleCode } from '../src/lib/bundle-code.ts';
import { completeBill } from './bill.ts';
import { bundleVendors, VENDORED, vendorPath } from './bundle-vendors.ts';
import { packageManifest } from './manifest.ts';
import { thirdPartyNotices } from './notices.ts';
import { npm, writeShrinkwrap } from './npm.ts';

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
/**
 * What only a clone needs: the console's sources, which are shipped built, what builds and generates, and the schemas of
 * old versions that a next migration is written from.
 */
const LEFT_OUT =
  /^(?:console|web-client|widget)\/|_snapshot\.json$|^client\/(?:generate|client-source|type-source|index)\.ts$|^lib\/bundle-code\.ts$|^api\/(?:console-bundle|shared-first|reference\/(?:build-reference|reference-thread))\.ts$|\.d\.ts$/;
const ASSETS = /\.(?:onnx|LICENSE|sql|json)$/;
const DOCUMENTS = ['LICENSE', 'CHANGELOG.md'];

/**
 * Makes the folder of the npm package: each module of the service as JavaScript in the place that it has in `src`, so
 * that threads and files are found by the same addresses; those of a start once more as a bundle; the console and the
 * API's reader built; and packages of which a small part is used cut down to that part. Returns what went into these.
 */
export async function buildPackage(out: string): Promise<Metafile> {
  await rm(out, { recursive: true, force: true });
  const dist = join(out, 'dist');
  const modules = await buildModules(dist);
  const builtIn = await bundleVendors(dist);
  await bundleCode({
    ...{ entry: join(dist, 'main.js'), folder: join(dist, 'bundle'), compact: true },
    external: ['*/console-bundle.js'],
  });
  await writePage('console', join(dist, 'console/built'));
  await writePage('widget', join(dist, 'widget/built'));
  await writeReference(join(dist, 'api/reference/built'));
  for (const name of DOCUMENTS) await cp(join(ROOT, name), join(out, name));
  await cp(join(import.meta.dirname, 'README.md'), join(out, 'README.md'));
  await cp(join(ROOT, 'fixtures/audio'), join(out, 'fixtures/audio'), {
    recursive: true,
    filter: (path) => !/synthetic|features|formats|\.ts$/.test(relative(ROOT, path)),
  });
  await writeFile(join(out, 'THIRD-PARTY-NOTICES'), thirdPartyNotices());
  const manifest = await packageManifest(modules);
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeShrinkwrap(out);
  return builtIn;
}

/** Writes all modules and the files beside them; returns the code. */
async function buildModules(dist: string): Promise<readonly string[]> {
  const files = await readdir(SRC, { recursive: true, withFileTypes: true });
  const names = files
    .filter((file) => file.isFile())
    .map((file) => relative(SRC, join(file.parentPath, file.name)).replaceAll('\\', '/'))
    .filter((name) => !LEFT_OUT.test(name));
  return Promise.all(
    names
      .filter((name) => /\.(?:ts|mjs)$/.test(name) || ASSETS.test(name))
      .map(async (name) => {
        const target = join(dist, name.replace(/\.ts$/, '.js'));
        await mkdir(dirname(target), { recursive: true });
        if (ASSETS.test(name)) {
          await cp(join(SRC, name), target);
          return '';
        }
        const code = await toJavaScript(await readFile(join(SRC, name), 'utf8'), name);
        await writeFile(target, code);
        return code;
      }),
  );
}

async function toJavaScript(source: string, name: string): Promise<string> {
  const { code } = await transform(source, {
    loader: name.endsWith('.ts') ? 'ts' : 'js',
    format: 'esm',
    target: 'node22.18',
    charset: 'utf8',
    // As Node does with the sources: only types are taken away.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  const up = relative(dirname(name), '.').replaceAll('\\', '/') || '.';
  return code
    .replace(/(["'])(\.{1,2}\/[^"'\n]*)\.ts\1/g, '$1$2.js$1')
    .replace(/(from |import\()(["'])([^"'\n]+)\2/g, (whole, before, quote, specifier) =>
      VENDORED.includes(specifier)
        ? `${before}${quote}${up === '.' ? '.' : up}/${vendorPath(specifier)}${quote}`
        : whole,
    );
}

async function writePage(page: 'console' | 'widget', folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, { body, brotli }] of await bundlePage(page)) {
    await writeFile(join(folder, name), body);
    await writeFile(join(folder, `${name}.br`), await brotli());
  }
}

async function writeReference(folder: string): Promise<void> {
  const { html, script } = await buildReference();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.html'), html);
  await writeFile(join(folder, 'scalar.js.br'), script);
}

// Also packs it, and writes its bill of materials beside it; prints the paths of both.
if (import.meta.main) {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: join(ROOT, 'out/package') } },
  });
  const builtIn = await buildPackage(values.out);
  const [{ filename } = { filename: '' }] = JSON.parse(
    await npm(values.out, 'pack', '--json', '--pack-destination', dirname(values.out)),
  ) as { readonly filename: string }[];
  const bill = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  const installed = JSON.parse(await npm(values.out, ...bill));
  await writeFile(
    `${values.out}.cdx.json`,
    `${JSON.stringify(completeBill(installed, builtIn), null, 2)}\n`,
  );
  process.stdout.write(`${join(dirname(values.out), filename)}\n${values.out}.cdx.json\n`);
}
