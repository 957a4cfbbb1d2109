import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import type { Failure, TurnMetrics } from '../contract/call-journal.ts';
import type { CallSnapshot } from '../contract/call-snapshot.ts';
import type { FailedEnd } from '../contract/failures.ts';
import { costOf, type Prices } from '../contract/prices.ts';
import { type Checkpoint, ReplayError, type RestoredCall } from '../engine/machine/replay.ts';
import { ProviderError } from '../lib/errors.ts';
import { loopRecorder } from '../lib/loop-recorder.ts';
import { makePrivateFolder } from '../lib/private-files.ts';
import type { TeamQueue } from '../lib/team-queue.ts';
import type { ThreadUse } from '../lib/thread-use.ts';
import type { CallBatch, CallStore } from '../ports/call-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { MediaLeg } from '../ports/media.ts';
import type { OperatorLine } from '../ports/operator-line.ts';
import type { Sounds } from '../ports/sounds.ts';
import type { Providers } from '../providers/registry.ts';
import { toFailure } from '../session/failure.ts';
import { Session } from '../session/session.ts';
import type { SessionInit } from '../session/session-parts.ts';
import type { Ticker } from '../session/ticker.ts';
import { writeCallBatch } from '../store/call-batch.ts';
import { keepCheckpoint } from '../store/call-checkpoints.ts';
import type { CallRecord } from '../store/calls.ts';
import type { GroupedRecords } from '../store/grouped-records.ts';
import { CallUsage } from '../telemetry/call-usage.ts';
import { createToolRunner } from '../tools/hosted-tool.ts';
import type { RecordedBatch } from './after-calls.ts';
import type { CallFiles } from './call-files.ts';
import {
  askableOf,
  mailboxPhrases,
  modelOptionsOf,
  settingsOfCall,
  voiceOptionsOf,
} from './call-settings.ts';
import type { CallStarts } from './call-starts.ts';
import { type CallToolsDeps, createCallTools } from './call-tools.ts';
import { announcing, consentOfCall } from './consent/consent-of-call.ts';
import { earlierRecordings } from './earlier-recordings.ts';
import { heedDoNotCall } from './heed-do-not-call.ts';
import { partPath } from './recording-parts.ts';
import { callFilePath } from './recordings.ts';
import { type RedactCallDeps, redactionOfCall } from './redact-call.ts';
import { threadsOf } from './threads-of-call.ts';

export interface CallSetupDeps extends CallToolsDeps, RedactCallDeps {
  readonly ticker: Ticker;
  readonly timers?: Clock;
  readonly providers: Providers;
  readonly sounds: Sounds;
  readonly recordingsDir: string;
  readonly callFiles: CallFiles;
  readonly takeOvers: TeamQueue;
  readonly prices?: Prices;
  /** Requests drafts from the model before it is certain that a turn is over. */
  readonly drafts: boolean;
  readonly threadUse: ThreadUse;
  readonly callStarts: CallStarts;
  /** Stores batches that do not change a call's status. */
  readonly records: Pick<GroupedRecords, 'write' | 'hurry'>;
  /** Saves a batch to a file after the store has rejected it for good. */
  readonly keepUnsaved: (of: UnsavedRecord) => Promise<void>;
  readonly onRecorded: (batch: RecordedBatch) => void;
  readonly log: Log;
  readonly onTurn: (metrics: TurnMetrics) => void;
  /** The disk failed, so a recording could not be started or continued. */
  readonly onRecordingStopped?: (error: unknown) => void;
  /** Absent: operators cannot be dialled, and transfers fail. */
  readonly operators?: OperatorLine;
}

/** A part of a call's record that the store has not accepted, and the epoch of the session that wrote it. */
export interface UnsavedRecord {
  readonly teamId: string;
  readonly epoch: number;
  readonly batch: CallBatch;
}

/** A call that is set up and waits for its leg. */
export interface PreparedCall {
  /** Connects to the vendors, while the phone still rings. */
  warm(sampleRateHz: number): void;
  start(leg: MediaLeg): Session;
}

/**
 * Prepares a session from a call's record: providers, settings, tools and history. `restored`: the call that an earlier
 * process has left, which keeps its settings.
 */
export async function prepareCall(
  deps: CallSetupDeps,
  record: CallRecord,
  restored?: RestoredCall,
): Promise<PreparedCall> {
  const { assistant } = record.snapshot;
  const awake = deps.providers.wake(assistant);
  const recordingPath = await recordingOf(deps, record);
  const { teamId } = record;
  const askable = await askableOf(deps.db, record);
  const usage = new CallUsage(restored ? (record.usage ?? []) : []);
  const { llm, stt, tts, warm } = deps.providers.forAssistant(assistant, {
    teamId,
    ...(record.assistantId ? { assistantId: record.assistantId } : {}),
    meter: usage,
  });
  const redaction = await redactionOfCall(deps, record, restored);
  const { predictor } = deps.providers;
  const { hosted, missing } = await createCallTools(deps, record, restored?.settings.tools);
  const fresh = await settingsOfCall(deps, record, {
    hosted,
    askable,
    stt,
    drafts: deps.drafts,
    outsidePredictor: predictor !== undefined,
    seed: randomInt(2 ** 31),
  });
  const consent = recordingPath ? consentOfCall(record, fresh.languages) : undefined;
  const announced = consent ? announcing(fresh, consent.announcement) : fresh;
  const settings = restored?.settings ?? announced;
  const init: SessionInit = {
    callId: record.id,
    settings,
    voice: voiceOptionsOf(assistant),
    model: modelOptionsOf(record),
    recognition: {
      languages: settings.languages,
      hints: assistant.hints,
      topics: askable.topics,
      phrases: [
        ...askable.sentences,
        ...assistant.endCallPhrases,
        ...mailboxPhrases(record, settings),
      ],
    },
    ...backgroundOf(assistant),
    missing,
    ...(restored ? { restored } : {}),
  };
  const store = callStore(deps, record);
  // It reads what was said before that is redacted.
  const heeding = heedDoNotCall(record);
  const kept = heeding.store(redaction ? redaction.store(store) : store);
  const keepUnsaved = (batch: CallBatch) =>
    deps.keepUnsaved({ teamId, epoch: record.epoch, batch });
  // A caller rather waits for the call than for its first words.
  await awake;
  return {
    warm,
    start(leg) {
      const session = new Session(
        { ...init, ...recordedAt(recordingPath, restored, deps.clock.now()) },
        {
          ...deps,
          vad: deps.providers.vad,
          ...(predictor ? { predictor } : {}),
          llm: redaction ? redaction.model(llm) : llm,
          stt,
          tts,
          warm: () => warm(leg.sampleRateHz),
          bill: () => {
            const lines = usage.lines();
            return { usage: lines, ...(deps.prices ? { cost: costOf(lines, deps.prices) } : {}) };
          },
          tools: createToolRunner(hosted),
          store: consent ? consent.watch.over(kept) : kept,
          ...(consent ? { consent: consent.watch } : {}),
          ...(redaction ? { redaction: redaction.record } : {}),
          ...(restored && recordingPath
            ? { earlierRecordings: earlierRecordings(deps, record) }
            : {}),
          // What was said stands in it, redacted or not: such a call is run from its beginning.
          ...(redaction ? {} : { keepCheckpoint: checkpointsOf(deps, record) }),
          openRecording: (path) => deps.callFiles.create(path, teamId),
          keepUnsaved: heeding.keepUnsaved(
            redaction ? redaction.keepUnsaved(keepUnsaved) : keepUnsaved,
          ),
        },
        leg,
      );
      deps.threadUse.hold(threadsOf(deps.providers, record.snapshot), session.finished);
      loopRecorder.hold('call-start', () => {
        if (restored) session.takenOver(restored);
        else session.answered();
      });
      return session;
    },
  };
}

/** Each process records to a file of its own, which begins now: an earlier one may still be writing. */
function recordedAt(
  path: string | undefined,
  restored: RestoredCall | undefined,
  now: number,
): Pick<SessionInit, 'recordingPath'> {
  if (path === undefined) return {};
  return { recordingPath: restored ? partPath(path, now - restored.startedAtMs) : path };
}

function backgroundOf({
  backgroundSound: sound,
  backgroundSoundVolume: volume,
}: CallSnapshot['assistant']): Pick<SessionInit, 'background'> {
  if (sound === 'disable') return {};
  return { background: sound === 'enable' ? { volume } : { url: sound, volume } };
}

/** Creates the folder of the call's recording and returns its path; undefined if the call is not recorded. */
async function recordingOf(
  { recordingsDir, onRecordingStopped, log }: CallSetupDeps,
  { id, snapshot }: CallRecord,
): Promise<string | undefined> {
  const { assistant, recordingPath } = snapshot;
  if (!assistant.recordingEnabled) return undefined;
  const path = callFilePath(recordingsDir, { id, recordingPath }, 'wav');
  try {
    await makePrivateFolder(dirname(path));
    return path;
  } catch (error) {
    // A call without a recording is better than no call.
    log.error({ callId: id, err: error }, 'a call cannot be recorded');
    onRecordingStopped?.(error);
    return undefined;
  }
}

function callStore(
  { db, records, onRecorded }: CallSetupDeps,
  { id, teamId, epoch, snapshot }: CallRecord,
): CallStore {
  const { assistantServer } = snapshot.assistant;
  return {
    hurry: () => records.hurry(id),
    async write(batch) {
      // No webhook and no change of the call's record can follow from such a batch.
      const isPlain =
        !assistantServer.enabled && !batch.doNotCall && Object.keys(batch.patch).length === 0;
      if (isPlain) return records.write({ ...batch, teamId, epoch });
      const webhooksQueued = await writeCallBatch(db, { teamId, ...batch, epoch });
      onRecorded({ webhooksQueued, settled: batch.patch.settled ?? false });
    },
  };
}

/** Keeps checkpoints of a call one at a time; one that cannot be kept is missed by nobody but a slower take-over. */
function checkpointsOf(
  { db, log }: CallSetupDeps,
  { teamId, id: callId, epoch }: CallRecord,
): (checkpoint: Checkpoint) => void {
  let busy = false;
  return (checkpoint) => {
    if (busy) return;
    busy = true;
    void keepCheckpoint(db, { teamId, callId, epoch, checkpoint })
      .catch((error: unknown) =>
        log.warn({ callId, err: error }, 'a checkpoint of a call could not be kept'),
      )
      .finally(() => {
        busy = false;
      });
  };
}

/** The end of a call whose setup has failed. */
export function failedSetup(error: unknown): {
  readonly endReason: FailedEnd;
  readonly failure?: Failure;
} {
  // Another version of the service recorded the call, so this one cannot go on with it.
  if (error instanceof ReplayError) return { endReason: 'service-restarted' };
  if (!(error instanceof ProviderError)) return { endReason: 'internal-error' };
  return { endReason: 'vendor-not-ready', failure: toFailure(error, error.provider) };
}
