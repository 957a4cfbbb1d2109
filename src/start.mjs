import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { applyAllocatorSettings } from './allocator.mjs';

// Starts main.ts with compiled code from earlier starts. In JavaScript: compiling the first TypeScript of a process
// takes 18 MiB, which most starts can do without.

applyAllocatorSettings();

/** @returns {string | undefined} a folder for compiled code that nobody else can write to */
function codeCache() {
  const own = process.getuid?.();
  const installed = fileURLToPath(new URL('../node_modules/.cache/parley', import.meta.url));
  for (const folder of [installed, join(tmpdir(), `parley-code-${own ?? ''}`)]) {
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

// Nearly all that a start loads stays. V8 would take that for a sign that the young generation is too small, and let it
// grow by 25 MiB; and threads that share in its collection use more time than they save. For the same reason the whole
// heap is looked through once at most. main.ts undoes it when ready.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--no-parallel-scavenge');
setFlagsFromString('--heap-growing-percent=400');

const folder = codeCache();
if (folder !== undefined) enableCompileCache(folder);
await import('./lib/quick-resolve.ts');
await import('./main.ts');
