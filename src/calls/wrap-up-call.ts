import { analyseCall } from '../analysis/analyse-call.ts';
import { failureOfEnd } from '../contract/failures.ts';
import type { JobHandler, JobKind } from '../jobs/job-sender.ts';
import type { SchemaChecker } from '../lib/schema-checker.ts';
import type { Clock } from '../ports/clock.ts';
import type { Llm } from '../ports/llm.ts';
import type { Log } from '../ports/log.ts';
import { callBeganAt } from '../store/call-clock.ts';
import { type CallRecord, findCallOfAnyTeam } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { NotFoundError } from '../store/errors.ts';
import { listJournalledLookups } from '../store/knowledge-questions.ts';
import { listMessages, type Message } from '../store/messages.ts';
import { findTeam } from '../store/teams.ts';
import { finishWrapUp } from '../store/wrap-ups.ts';
import { KNOWLEDGE_BASE_TOOL } from '../tools/knowledge-base.ts';
import { questionsOf } from './knowledge-lookups.ts';

interface WrapUpData {
  readonly callId: string;
}

/** The job after a call's end: transcript file, analysis, report. */
export const wrapUpCall: JobKind<WrapUpData> = {
  name: 'wrap-up-call',
  // Twice the longest step of an analysis.
  timeoutMs: 240_000,
  retries: 100,
  retryDelayMs: 2_000,
  maxRetryDelayMs: 600_000,
};

export interface WrapUpDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly schemas: SchemaChecker;
  readonly log: Log;
  /** The model of a call's assistant; throws ProviderError if it is unusable. */
  readonly model: (call: CallRecord) => Llm;
  /** Replaces the variables in a text by the call's values. */
  readonly fill: (text: string, call: CallRecord) => string;
  /** Writes the transcript to a file beside the recording. */
  readonly keepTranscript: (call: CallRecord, messages: readonly Message[]) => Promise<void>;
  /** Removes that file. */
  readonly removeTranscript: (call: CallRecord) => Promise<void>;
  /** Called once for each call, before its analysis. */
  readonly onEnded?: ((callId: string) => void) | undefined;
  /** Called when a report was queued. */
  readonly onReported: () => void;
}

/** Wraps a call up; repeating it has no further effect. */
export function createWrapUp(deps: WrapUpDeps): JobHandler<WrapUpData> {
  const { db, clock, schemas } = deps;
  return async ({ callId }, { signal, number }) => {
    const call = await findCallOfAnyTeam(db, { id: callId });
    if (!call || call.wrapUp === 'done' || (await isGone(db, call))) return;
    if (number === 1) deps.onEnded?.(callId);
    const { assistant } = call.snapshot;
    const messages = await listMessages(db, { callId });
    if (assistant.postCallTranscriptsEnabled) {
      await deps.keepTranscript(call, messages);
      // A deletion that has begun meanwhile may have passed this file already; a later one removes it.
      if (await isGone(db, call)) return deps.removeTranscript(call);
    }
    const analysis = await analyseCall({
      assistant,
      messages,
      fill: (text) => deps.fill(text, call),
      model: () => deps.model(call),
      clock,
      signal,
      schemas,
      team: call.teamId,
    });
    signal.throwIfAborted();
    const { teamId } = call;
    const lookups = await listJournalledLookups(db, { callId, tool: KNOWLEDGE_BASE_TOOL });
    const asked = {
      knowledgeBaseIds: assistant.assistantKnowledgeBaseIds,
      questions: questionsOf(lookups, callBeganAt(call)),
    };
    try {
      if (!(await finishWrapUp(db, { teamId, id: callId, analysis, asked }))) return;
    } catch (error) {
      // Deleted meanwhile.
      if (error instanceof NotFoundError) return;
      throw error;
    }
    const failure = failureOfEnd(call.endReason, call.failure);
    if (failure) {
      const { code, message: reason, cause } = failure;
      deps.log.warn({ callId, code, reason, cause }, 'a call failed');
    }
    deps.onReported();
  };
}

/** True once the call is deleted, or its team is marked as deleted: before the first of its files is removed. */
async function isGone(db: Db, { id, teamId }: CallRecord): Promise<boolean> {
  const team = await findTeam(db, { teamId });
  return !team || team.deletedAt !== null || !(await findCallOfAnyTeam(db, { id }));
}
