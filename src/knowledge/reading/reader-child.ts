import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { FileFormat } from '../../contract/file.ts';
import { makePassages } from '../indexing/make-passages.ts';
import { SegmentBuilder } from '../indexing/segment-builder.ts';
import { decodeText } from './decode-text.ts';
import { detectFormat } from './detect-format.ts';
import type {
  IndexableDocument,
  IndexResult,
  ReaderAnswer,
  ReaderJob,
  ReaderRequest,
} from './messages.ts';
import { readBlocks } from './read-blocks.ts';
import { UnreadableError } from './unreadable-error.ts';

/*
 * Reads untrusted files, one after the other, in a process of its own, so that no file can disturb calls. The parent
 * kills it when it takes too long.
 */

const MEMORY_CHECK_MS = 20;

const send = (answer: ReaderAnswer) => process.send?.(answer);

/** Ends the process if it exceeds its memory or its parent dies. Runs on a thread, since reading may block this one. */
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

/** Makes one segment of documents; a repeated passage, as on every page of a site, is taken once. */
async function* indexDocuments(
  documents: readonly IndexableDocument[],
): AsyncGenerator<IndexResult> {
  const builder = new SegmentBuilder();
  const seen = new Set<string>();
  for (const { path, format, title, url } of documents) {
    for await (const passage of makePassages(readBlocks(await readFile(path), format))) {
      if (seen.has(passage.text)) continue;
      seen.add(passage.text);
      const full = builder.add({ ...passage, title, ...(url === undefined ? {} : { url }) });
      if (full) yield { kind: 'passages', ...full };
    }
  }
  const { last, summary } = builder.finish();
  if (last) yield { kind: 'passages', ...last };
  if (summary.passages === 0) throw new UnreadableError('There is no text in the file.');
  yield { kind: 'summary', summary };
}

/** Refuses a file that can't be read or has no text. A table is read to its end, other files to the first text. */
async function inspectFile(bytes: Uint8Array, format: FileFormat): Promise<void> {
  const toEnd = format === 'csv' || format === 'tsv';
  let hasText = false;
  for await (const { text } of readBlocks(bytes, format)) {
    hasText ||= /[\p{L}\p{N}]/u.test(text);
    if (hasText && !toEnd) return;
  }
  if (!hasText) throw new UnreadableError('There is no text in the file.');
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
send({ kind: 'ready' });
