import type { JobAttempt, JobSender } from '../../jobs/job-sender.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { FileStorage } from '../../ports/file-storage.ts';
import type { Log } from '../../ports/log.ts';
import type { Db } from '../../store/db.ts';
import { OverLimitError } from '../../store/errors.ts';
import { findFiles } from '../../store/files.ts';
import { deleteDeadSegments, liveSegments, publishSegments } from '../../store/knowledge-index.ts';
import {
  beginTraining,
  failTraining,
  finishTraining,
  type TrainingDue,
  type TrainingRun,
} from '../../store/knowledge-training.ts';
import { refuseOverKnowledge } from '../../store/team-limits.ts';
import { CrawlError } from '../crawling/crawl-error.ts';
import type { SiteCrawler } from '../crawling/crawl-site.ts';
import type { FileReader } from '../reading/file-reader.ts';
import { UnreadableError } from '../reading/unreadable-error.ts';
import { buildSegment } from './build-segment.ts';
import type { KeepPassages } from './keep-passages.ts';
import { fileSource, fingerprintOf, type Source } from './sources.ts';
import { sendTraining } from './train-job.ts';
import { Vectoriser } from './vectoriser.ts';
import { RunOverError, watchRun } from './watch-run.ts';

const WATCH_EVERY_MS = 2_000;

export interface TrainingDeps {
  readonly db: Db;
  readonly jobs: JobSender;
  readonly storage: FileStorage;
  readonly fileReader: FileReader;
  readonly crawl: SiteCrawler;
  /** Absent: passages are searched by words only. */
  readonly embedder?: Embedder | undefined;
  readonly keep: KeepPassages;
  readonly log: Log;
  /** How often a run looks whether it is still wanted. @defaultValue 2000 */
  readonly watchEveryMs?: number;
}

/**
 * Trains a knowledge base in its current state. Searches use the old index until the new one is complete. Training can
 * be interrupted at any point and started again. A run that nobody wants any more, since its base was deleted or another
 * run has taken over, stops.
 */
export async function trainKnowledgeBase(
  deps: TrainingDeps,
  due: TrainingDue,
  attempt: JobAttempt,
): Promise<void> {
  const { db, log } = deps;
  const { teamId, knowledgeBaseId: id } = due;
  const run = await beginTraining(db, { teamId, id });
  if (!run) return;
  const startedAt = performance.now();
  using watched = watchRun(db, run, {
    signal: attempt.signal,
    everyMs: deps.watchEveryMs ?? WATCH_EVERY_MS,
  });
  try {
    const done = await train(deps, run, watched.signal);
    const tookMs = Math.round(performance.now() - startedAt);
    log.info({ knowledgeBaseId: id, tookMs, ...done }, 'knowledge base trained');
  } catch (error) {
    attempt.signal.throwIfAborted();
    if (watched.signal.reason instanceof RunOverError) {
      log.info(
        { knowledgeBaseId: id },
        'a training was given up: its base is gone or trained anew',
      );
      return;
    }
    const reason = reasonOf(error);
    if (reason === undefined && !attempt.last) throw error;
    log.warn({ err: error, knowledgeBaseId: id }, 'training a knowledge base failed');
    await db.transaction(async (tx) => {
      const ended = await failTraining(tx, run, reason ?? 'Something went wrong; see the log.');
      if (ended?.status === 'queued') await sendTraining(deps.jobs, tx, due);
    });
  }
}

/** The message of an error that the user can fix; undefined for others, which are retried. */
function reasonOf(error: unknown): string | undefined {
  return error instanceof UnreadableError ||
    error instanceof CrawlError ||
    error instanceof OverLimitError
    ? error.message
    : undefined;
}

async function train(
  deps: TrainingDeps,
  run: TrainingRun,
  signal: AbortSignal,
): Promise<{ readonly segments: number; readonly made: number }> {
  const { db, jobs } = deps;
  const { id: knowledgeBaseId, teamId } = run.knowledgeBase;
  const vectoriser = new Vectoriser(deps.embedder, deps.log);
  const ready = await liveSegments(db, { knowledgeBaseIds: [knowledgeBaseId] });
  const ids: string[] = [];
  let made = 0;
  for await (const source of sourcesOf(deps, run, signal)) {
    signal.throwIfAborted();
    const fingerprint = fingerprintOf(source, vectoriser.model);
    const same = ready.find((it) => it.source === source.name && it.fingerprint === fingerprint);
    if (same) ids.push(same.id);
    else {
      ids.push(
        await buildSegment({ ...deps, vectoriser }, { teamId, knowledgeBaseId, source, signal }),
      );
      made++;
    }
  }
  await db.transaction(async (tx) => {
    const ended = await finishTraining(tx, run, vectoriser.note);
    // Another run has taken over and clears away what this one made.
    if (!ended) return;
    await publishSegments(tx, { knowledgeBaseId, ids });
    await refuseOverKnowledge(tx, { teamId });
    if (ended.status === 'queued') await sendTraining(jobs, tx, { teamId, knowledgeBaseId });
  });
  await deleteDeadSegments(db, { knowledgeBaseId, keep: ids });
  return { segments: ids.length, made };
}

async function* sourcesOf(
  { db, storage, crawl }: TrainingDeps,
  { knowledgeBase }: TrainingRun,
  signal: AbortSignal,
): AsyncGenerator<Source> {
  const { teamId, files, docs } = knowledgeBase;
  const found = await findFiles(db, { teamId, ids: files.map(({ id }) => id) });
  for (const { id } of files) {
    const file = found.find((it) => it.id === id);
    if (file) yield fileSource(file, await storage.pathOf(id));
  }
  for (const { payload } of docs) yield* crawl(payload, { team: teamId, signal });
}
