import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';

interface ForeignFunctions {
  dlopen(
    library: string,
    functions: Readonly<Record<string, { readonly arguments: string[]; readonly return: string }>>,
  ): { readonly functions: { readonly malloc_trim: (keptBytes: bigint) => number } };
}

// A module of newer versions of Node, which warns that it may change: if it does, this thread ends with an error.
const { dlopen } = createRequire(import.meta.url)('node:ffi') as ForeignFunctions;
const { functions } = dlopen('libc.so.6', {
  malloc_trim: { arguments: ['u64'], return: 'i32' },
});
functions.malloc_trim(0n);
parentPort?.postMessage('trimmed');
