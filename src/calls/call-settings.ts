import type { SnapshotTool } from '../contract/call-snapshot.ts';
import { languageOf } from '../engine/language/language.ts';
import { resolveCallSettings } from '../engine/settings/resolve-settings.ts';
import type { CallSettings } from '../engine/settings/settings.ts';
import { type Askable, listAskable } from '../knowledge/askable.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Stt } from '../ports/stt.ts';
import type { SessionInit } from '../session/session-parts.ts';
import type { CallRecord } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import type { HostedTool } from '../tools/hosted-tool.ts';
import { openingHistory } from './history.ts';
import { callVariables } from './variables.ts';

const MAX_ASKABLE = 500;
const NOTHING_ASKABLE: Askable = { sentences: [], topics: [] };

/** What the caller can ask this assistant, by its tools and its knowledge. */
export async function askableOf(db: Db, record: CallRecord): Promise<Askable> {
  const { assistant, tools = [] } = record.snapshot;
  const knowledgeBaseIds = assistant.assistantPredefinedTools.knowledgeBase
    ? assistant.assistantKnowledgeBaseIds
    : [];
  const ofTools = tools.length > 0 ? await askableByTools(tools) : NOTHING_ASKABLE;
  const ofKnowledge =
    knowledgeBaseIds.length > 0
      ? await listAskable(db, { teamId: record.teamId, knowledgeBaseIds, limit: MAX_ASKABLE })
      : NOTHING_ASKABLE;
  return {
    sentences: [...ofTools.sentences, ...ofKnowledge.sentences],
    topics: [...ofTools.topics, ...ofKnowledge.topics],
  };
}

/** Loads the words of all languages with the first call that has tools. */
async function askableByTools(
  tools: NonNullable<CallRecord['snapshot']['tools']>,
): Promise<Askable> {
  const { askableOfTools } = await import('./askable-tools.ts');
  return askableOfTools(tools.map(({ config }) => config));
}

/**
 * Typical phrases of answering machines, for outbound phone calls: a recogniser limited to given phrases would
 * otherwise not recognise them.
 */
export function mailboxPhrases(
  { callType, direction }: CallRecord,
  { languages }: { readonly languages: readonly string[] },
): readonly string[] {
  const mayBeMachine = callType === 'phone' && direction === 'outbound';
  return mayBeMachine ? languageOf(languages).data.machinePhrases : [];
}

/** The settings of a new call with this record. */
export async function settingsOfCall(
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Log },
  record: CallRecord,
  {
    hosted,
    askable,
    ...chosen
  }: {
    readonly hosted: readonly HostedTool[];
    readonly askable: Askable;
    readonly stt: Pick<Stt, 'finalLatencyP99Ms' | 'turnAware' | 'sparseInterims'>;
    readonly drafts: boolean;
    readonly outsidePredictor: boolean;
    readonly seed: number;
  },
): Promise<CallSettings> {
  const { assistant, tools = [] } = record.snapshot;
  const history = await openingHistory(db, record);
  const unknown = new Set<string>();
  const resolved = resolveCallSettings({
    assistant,
    onUnknownVariable: (name) => unknown.add(name),
    variables: callVariables(record, clock.now()),
    toolNames: new Map(tools.map((tool) => [tool.id, namesOf(tool, hosted)])),
    callType: record.callType,
    direction: record.direction,
    tools: hosted.map(({ tool }) => tool),
    expected: askable.sentences,
    ...chosen,
  });
  if (unknown.size > 0)
    log.warn(
      { callId: record.id, variables: [...unknown].toSorted() },
      'texts of a call name variables that have no value',
    );
  return history
    ? { ...resolved, systemPrompt: [resolved.systemPrompt, history].filter(Boolean).join('\n\n') }
    : resolved;
}

/** The names by which a model calls a tool of the assistant: those that its server listed, or its own. */
function namesOf({ id, config }: SnapshotTool, hosted: readonly HostedTool[]): readonly string[] {
  if (config.type === 'function') return [config.function.name];
  return hosted
    .filter(({ tool }) => tool.offered?.toolId === id)
    .map(({ tool }) => tool.definition.name);
}

/** How the call's first voice speaks. */
export function voiceOptionsOf({
  config,
}: CallRecord['snapshot']['assistant']): SessionInit['voice'] {
  const voice = config.speech.ttsData.find((candidate) => candidate.enabled);
  return voice
    ? { language: voice.language, voice: voice.voice, settings: { ...voice.config } }
    : {};
}

/** How the call's model is asked. */
export function modelOptionsOf({
  id,
  assistantId,
  snapshot: { assistant },
}: CallRecord): SessionInit['model'] {
  return {
    temperature: assistant.assistantTemperature,
    maxTokens: assistant.assistantMaxTokens,
    cacheKey: assistantId ?? id,
  };
}
