import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { decodeText } from './decode-text.ts';
import { detectFormat } from './detect-format.ts';
import { indexDocuments } from './index-documents.ts';
import { inspectFile } from './inspect-file.ts';
import type { ReaderAnswer, ReaderJob, ReaderRequest } from './messages.ts';
import { UnreadableError } from './unreadable-error.ts';

/**
 * Reads files that anybody may have made, one after the other. A process of its own: whatever a file does
 * to it, the calls do not hear. The one who started it ends it when it takes too long.
 */
const MEMORY_CHECK_MS = 20;

const send = (answer: ReaderAnswer) => process.send?.(answer);

/** Ends the process when it outgrows its memory or outlives who started it; on a thread of its own, as reading may not let go of this one. */
function limitMemory(maxBytes: number): void {
  const watch = new Worker(
    `const { workerData } = require('node:worker_threads');
     const parent = process.ppid;
     setInterval(() => {
       const isOrphan = process.ppid !== parent;
       if (isOrphan || process.memoryUsage.rss() > workerData) process.kill(process.pid, 'SIGKILL');
     }, ${MEMORY_CHECK_MS});`,
    { eval: true, workerData: maxBytes },
  );
  watch.unref();
}

async function* work(job: ReaderJob): AsyncGenerator<unknown> {
  if (job.kind === 'index') {
    yield* indexDocuments(job.documents);
    return;
  }
  const bytes = await readFile(job.path);
  if (job.kind === 'links') {
    const { readLinks } = await import('./read-links.ts');
    yield readLinks(decodeText(bytes) ?? '', job.url);
    return;
  }
  const format = await detectFormat(bytes, job.sent);
  await inspectFile(bytes, format);
  yield { format };
}

async function run(job: ReaderJob): Promise<void> {
  try {
    for await (const value of work(job)) {
      const taken = Promise.withResolvers<void>();
      onMore = taken.resolve;
      send({ kind: 'result', value });
      await taken.promise;
    }
    send({ kind: 'done', rssBytes: process.memoryUsage.rss() });
  } catch (error) {
    if (error instanceof UnreadableError) send({ kind: 'refused', reason: error.message });
    else
      send({ kind: 'failed', detail: error instanceof Error ? `${error.stack}` : String(error) });
  }
}

let onMore: () => void = () => undefined;

limitMemory(Number(process.argv[2]));
process.on('message', (request: ReaderRequest) => {
  if (request.kind === 'more') onMore();
  else void run(request);
});
process.on('disconnect', () => process.exit());
