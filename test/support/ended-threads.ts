import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

// A process that starts and ends threads, and says how many mappings of the size of V8's pages it has then.

const PAGE_KIB = 256;
const THREADS = 12;
const FILLS_ITS_HEAP = `
  const { parentPort } = require('node:worker_threads');
  const kept = Array.from({ length: 200_000 }, (_, i) => ({ i, text: 'x' + i }));
  parentPort.postMessage(kept.length);
  setInterval(() => {}, 1000);
`;

for (let n = 0; n < THREADS; n++) {
  const worker = new Worker(FILLS_ITS_HEAP, { eval: true });
  await once(worker, 'message');
  await worker.terminate();
}
const sizes = readFileSync('/proc/self/smaps', 'utf8').matchAll(/^Size: +(\d+) kB$/gm);
const pages = [...sizes].filter(([, kib]) => Number(kib) === PAGE_KIB).length;
process.stdout.write(JSON.stringify({ pages }));
