import { accessSync, constants, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { bundleSoon, freshBundle, wantsFiles } from './bundled-code.mjs';

// Loads main.ts as one bundle, or file by file, with compiled code from earlier starts. In JavaScript: compiling the first
// TypeScript of a process takes 18 MiB, which most starts can do without.

const INSTALLED = fileURLToPath(new URL('../node_modules/.cache/parley', import.meta.url));
/** In the npm package. */
const SHIPPED = fileURLToPath(new URL('./bundle', import.meta.url));

/** @returns {string | undefined} a folder for compiled code that nobody else can write to */
function codeCache() {
  const own = process.getuid?.();
  for (const folder of [INSTALLED, join(tmpdir(), `parley-code-${own ?? ''}`)]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      accessSync(folder, constants.W_OK);
      const { uid, mode } = lstatSync(folder);
      if (own === undefined || (uid === own && (mode & 0o022) === 0)) return folder;
    } catch {
      // The next one may do.
    }
  }
  return undefined;
}

/** @param {string} folder */
const loadBundle = (folder) => import(pathToFileURL(join(folder, 'main.mjs')).href);

// Nearly all that a start loads stays. V8 would take that for a sign that the young generation is too small, and let it
// grow by 25 MiB; and threads that share in its collection use more time than they save. For the same reason the whole
// heap is looked through once at most. Code that is optimised for a start alone is not worth its making. main.ts undoes
// all of it when ready.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--no-parallel-scavenge');
setFlagsFromString('--heap-growing-percent=400');
setFlagsFromString('--no-opt');
setFlagsFromString('--no-maglev');

const cache = codeCache();
const isShipped = existsSync(SHIPPED);
const makesBundles =
  cache === INSTALLED && !isShipped && !wantsFiles(process.env, process.execArgv);
const made = makesBundles ? freshBundle(cache) : undefined;
// What is compiled of a bundle ends with it.
if (cache) enableCompileCache(made ? join(made, 'compiled') : cache);
if (made) await loadBundle(made);
else if (isShipped) await loadBundle(SHIPPED);
else {
  await import('./lib/quick-resolve.ts');
  await import('./main.ts');
  if (makesBundles && !process.channel) bundleSoon(cache);
}
