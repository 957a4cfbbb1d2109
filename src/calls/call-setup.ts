import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import type { Failure, TurnMetrics } from '../contract/call-journal.ts';
import type { CallSnapshot } from '../contract/call-snapshot.ts';
import type { FailedEnd } from '../contract/failures.ts';
import { costOf, type Prices } from '../contract/prices.ts';
import { languageOf } from '../engine/language/language.ts';
import type { RestoredCall } from '../engine/machine/replay.ts';
import { resolveCallSettings } from '../engine/settings/resolve-settings.ts';
import { type Askable, listAskable } from '../knowledge/askable.ts';
import { ProviderError } from '../lib/errors.ts';
import { makePrivateFolder } from '../lib/private-files.ts';
import type { ThreadUse } from '../lib/thread-use.ts';
import type { CallBatch, CallStore } from '../ports/call-store.ts';
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
import type { CallRecord } from '../store/calls.ts';
import type { GroupedRecords } from '../store/grouped-records.ts';
import { CallUsage } from '../telemetry/call-usage.ts';
import { createToolRunner } from '../tools/hosted-tool.ts';
import type { RecordedBatch } from './after-calls.ts';
import { type CallToolsDeps, createCallTools } from './call-tools.ts';
import { openingHistory } from './history.ts';
import { joinRecordings, partPath } from './recording-parts.ts';
import { callFilePath } from './recordings.ts';
import { threadsOf } from './threads-of-call.ts';
import { callVariables } from './variables.ts';

export interface CallSetupDeps extends CallToolsDeps {
  readonly ticker: Ticker;
  readonly providers: Providers;
  readonly sounds: Sounds;
  readonly recordingsDir: string;
  readonly prices?: Prices;
  /** Requests drafts from the model before it is certain that a turn is over. */
  readonly drafts: boolean;
  readonly threadUse: ThreadUse;
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

const MAX_ASKABLE = 500;
const NOTHING_ASKABLE: Askable = { sentences: [], topics: [] };

/** A call that is set up and waits for its leg. */
export interface PreparedCall {
  /** Connects to the vendors, while the phone still rings. */
  warm(sampleRateHz: number): void;
  start(leg: MediaLeg): Session;
}

/**
 * Typical phrases of answering machines, for outbound phone calls: a recogniser limited to given phrases would
 * otherwise not recognise them.
 */
function mailboxPhrases(
  { callType, direction }: CallRecord,
  { languages }: { readonly languages: readonly string[] },
): readonly string[] {
  const mayBeMachine = callType === 'phone' && direction === 'outbound';
  return mayBeMachine ? languageOf(languages).data.machinePhrases : [];
}

/** Loads the words of all languages with the first call that has tools. */
async function askableOf(tools: NonNullable<CallSnapshot['tools']>): Promise<Askable> {
  const { askableOfTools } = await import('./askable-tools.ts');
  return askableOfTools(tools.map(({ config }) => config));
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
  const { assistant, tools = [] } = record.snapshot;
  const awake = deps.providers.wake(assistant);
  const recordingPath = await recordingOf(deps, record);
  const knowledgeBaseIds = assistant.assistantPredefinedTools.knowledgeBase
    ? assistant.assistantKnowledgeBaseIds
    : [];
  const { teamId } = record;
  const ofTools = tools.length > 0 ? await askableOf(tools) : NOTHING_ASKABLE;
  const ofKnowledge =
    knowledgeBaseIds.length > 0
      ? await listAskable(deps.db, { teamId, knowledgeBaseIds, limit: MAX_ASKABLE })
      : NOTHING_ASKABLE;
  const askable = {
    sentences: [...ofTools.sentences, ...ofKnowledge.sentences],
    topics: [...ofTools.topics, ...ofKnowledge.topics],
  };
  const usage = new CallUsage();
  const { llm, stt, tts, warm } = deps.providers.forAssistant(assistant, {
    teamId,
    ...(record.assistantId ? { assistantId: record.assistantId } : {}),
    meter: usage,
  });
  const { predictor } = deps.providers;
  const hosted = createCallTools(deps, record);
  const history = await openingHistory(deps.db, record);
  const unknown = new Set<string>();
  const resolved = resolveCallSettings({
    assistant,
    onUnknownVariable: (name) => unknown.add(name),
    variables: callVariables(record, deps.clock.now()),
    toolNames: new Map(tools.map(({ id, config }) => [id, config.function.name])),
    callType: record.callType,
    direction: record.direction,
    tools: hosted.map(({ tool }) => tool),
    expected: askable.sentences,
    stt: { p99Ms: stt.finalLatencyP99Ms, turnAware: stt.turnAware ?? false },
    drafts: deps.drafts,
    outsidePredictor: predictor !== undefined,
    seed: randomInt(2 ** 31),
  });
  if (unknown.size > 0)
    deps.log.warn(
      { callId: record.id, variables: [...unknown].toSorted() },
      'texts of a call name variables that have no value',
    );
  const fresh = history
    ? { ...resolved, systemPrompt: [resolved.systemPrompt, history].filter(Boolean).join('\n\n') }
    : resolved;
  const settings = restored?.settings ?? fresh;
  const voice = assistant.config.speech.ttsData.find((candidate) => candidate.enabled);
  const init: SessionInit = {
    callId: record.id,
    settings,
    voice: voice
      ? { language: voice.language, voice: voice.voice, settings: { ...voice.config } }
      : {},
    model: {
      temperature: assistant.assistantTemperature,
      maxTokens: assistant.assistantMaxTokens,
      cacheKey: record.assistantId ?? record.id,
    },
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
    ...(restored ? { restored } : {}),
    ...recordedAt(recordingPath, restored, deps.clock.now()),
  };
  // A caller rather waits for the call than for its first words.
  await awake;
  return {
    warm,
    start(leg) {
      const session = new Session(
        init,
        {
          ...deps,
          vad: deps.providers.vad,
          ...(predictor ? { predictor } : {}),
          llm,
          stt,
          tts,
          warm: () => warm(leg.sampleRateHz),
          bill: () => {
            const lines = usage.lines();
            return { usage: lines, ...(deps.prices ? { cost: costOf(lines, deps.prices) } : {}) };
          },
          tools: createToolRunner(hosted),
          store: callStore(deps, record),
          ...(restored && recordingPath
            ? { joinRecordings: () => joinRecordings(recordingPath) }
            : {}),
          keepUnsaved: (batch) => deps.keepUnsaved({ teamId, epoch: record.epoch, batch }),
        },
        leg,
      );
      deps.threadUse.hold(threadsOf(deps.providers, record.snapshot), session.finished);
      if (restored) session.takenOver(restored);
      else session.answered();
      return session;
    },
  };
}

/** Each process records to a file of its own: an earlier one may still be writing. */
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
  { teamId, epoch, snapshot }: CallRecord,
): CallStore {
  const { assistantServer } = snapshot.assistant;
  return {
    hurry: () => records.hurry(),
    async write(batch) {
      // No webhook and no change of the call's record can follow from such a batch.
      const isPlain = !assistantServer.enabled && Object.keys(batch.patch).length === 0;
      if (isPlain) return records.write({ ...batch, epoch });
      const webhooksQueued = await writeCallBatch(db, { teamId, ...batch, epoch });
      onRecorded({ webhooksQueued, settled: batch.patch.settled ?? false });
    },
  };
}

/** The end of a call whose setup has failed. */
export function failedSetup(error: unknown): {
  readonly endReason: FailedEnd;
  readonly failure?: Failure;
} {
  if (!(error instanceof ProviderError)) return { endReason: 'internal-error' };
  return { endReason: 'vendor-not-ready', failure: toFailure(error, error.provider) };
}
