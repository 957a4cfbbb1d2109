import { renderTemplate } from '../engine/settings/render-template.ts';
import { Dispatcher } from '../events/dispatcher.ts';
import { createExpireHistory, EXPIRE_HISTORY_CRON, expireHistory } from '../jobs/expire-history.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { SchemaChecker } from '../lib/schema-checker.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { CallTraces } from '../ports/tracing.ts';
import type { Providers } from '../providers/registry.ts';
import { callBeganAt } from '../store/call-clock.ts';
import type { CallRecord } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { queueWrapUps } from '../store/wrap-ups.ts';
import type { CallFiles } from './call-files.ts';
import { callFilePath, writeCallFile } from './recordings.ts';
import { transcriptText } from './transcript-text.ts';
import { callVariables } from './variables.ts';
import { createWrapUp, wrapUpCall } from './wrap-up-call.ts';

interface AfterCallsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly providers: Pick<Providers, 'llm'>;
  readonly recordingsDir: string;
  readonly files: CallFiles;
  readonly nodeId: string;
  /** Sends webhooks to the servers of assistants. */
  readonly fetch: OutboundFetch;
  readonly schemas: SchemaChecker;
  readonly traces?: CallTraces | undefined;
  readonly log: Log;
}

/** The effect of storing a part of a call's record. */
export interface RecordedBatch {
  /** It has queued webhooks. */
  readonly webhooksQueued: boolean;
  /** The call's record is complete. */
  readonly settled: boolean;
}

/** Delivers webhooks, and wraps calls up after their end. */
export interface AfterCalls {
  start(): void;
  /** Reports that a part of a call's record was stored. */
  recorded(batch: RecordedBatch): void;
  /** Call it before the jobs stop. */
  stop(): Promise<void>;
}

const WRAP_UPS_AT_ONCE = 8;
/** Limit for all nodes together, so that the calls of one team do not delay those of others. */
const WRAP_UPS_PER_TEAM = 6;
const SWEEP_MS = 5_000;

export function createAfterCalls(deps: AfterCallsDeps): AfterCalls {
  const { db, clock, jobs, fetch, nodeId, traces, log } = deps;
  const sender = { db, clock, fetch, log, nodeId, traceHeaders: traces?.headers };
  const dispatcher = new Dispatcher({ ...sender, random: Math.random });
  jobs.work(wrapUpCall, createWrapUp(wrapUpDeps(deps, () => dispatcher.nudge())), {
    concurrency: WRAP_UPS_AT_ONCE,
    perTeam: WRAP_UPS_PER_TEAM,
  });
  const forget = createExpireHistory({
    db,
    now: () => clock.now(),
    removeTranscript: (call) => removeTranscript(deps, call),
  });
  jobs.work(expireHistory, forget, { cron: EXPIRE_HISTORY_CRON });
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  let again = false;

  /** Queues ended calls, including those that ended without a session or whose process died. */
  function sweep(): void {
    if (sweeping) {
      again = true;
      return;
    }
    sweeping = queueEnded().finally(() => {
      sweeping = undefined;
      if (again) {
        again = false;
        sweep();
      }
    });
  }

  async function queueEnded(): Promise<void> {
    try {
      const send = (tx: Db, { callId, teamId }: { callId: string; teamId: string }) =>
        jobs.send(tx, wrapUpCall, { callId }, { dedupeKey: callId, team: teamId });
      while ((await queueWrapUps(db, send)) > 0);
      dispatcher.nudge();
    } catch (error) {
      log.warn({ err: error }, 'ended calls could not be queued for wrap-up');
    }
  }

  return {
    start() {
      dispatcher.nudge();
      sweep();
      timer = setInterval(sweep, SWEEP_MS);
      timer.unref();
    },
    recorded({ webhooksQueued, settled }) {
      if (webhooksQueued) dispatcher.nudge();
      if (settled && timer) sweep();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await sweeping;
      await dispatcher.stop();
    },
  };
}

function wrapUpDeps(
  { db, clock, providers, recordingsDir, files, schemas, traces, log }: AfterCallsDeps,
  onReported: () => void,
): Parameters<typeof createWrapUp>[0] {
  return {
    db,
    clock,
    schemas,
    log,
    onEnded: traces?.ended,
    onReported,
    fill: (text, call) => renderTemplate(text, callVariables(call, call.startAt.getTime())),
    model({ teamId, snapshot }) {
      const { assistant } = snapshot;
      const { assistantProvider, assistantModel, assistantLLMUrl } = assistant;
      const choice = {
        provider: assistantProvider,
        model: assistantModel,
        url: assistantLLMUrl,
      };
      return providers.llm(choice, teamId);
    },
    keepTranscript: (call, messages) =>
      writeCallFile(files, {
        path: transcriptPath({ recordingsDir }, call),
        teamId: call.teamId,
        text: transcriptText(messages, callBeganAt(call)),
      }),
    removeTranscript: (call) => removeTranscript({ recordingsDir, files }, call),
  };
}

type TranscriptOf = Pick<CallRecord, 'id' | 'snapshot'>;
type Folder = Pick<AfterCallsDeps, 'recordingsDir' | 'files'>;

function removeTranscript(folder: Folder, call: TranscriptOf): Promise<void> {
  return folder.files.remove(transcriptPath(folder, call));
}

function transcriptPath(
  { recordingsDir }: Pick<Folder, 'recordingsDir'>,
  { id, snapshot }: TranscriptOf,
): string {
  const { recordingPath } = snapshot;
  return callFilePath(recordingsDir, { id, recordingPath }, 'txt');
}
