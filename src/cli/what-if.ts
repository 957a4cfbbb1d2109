import { readFile } from 'node:fs/promises';
import { type AssistantConfig, assistantConfigSchema } from '../contract/assistant.ts';
import { applyMergePatch, mergePatchSchema } from '../contract/merge-patch.ts';
import { describeFaults, validate } from '../contract/validation.ts';
import {
  type Comparison,
  type CutInReaction,
  CutInReactionSchema,
  type ToolChange,
} from '../contract/what-if.ts';
import { readJournalHead } from '../engine/machine/replay.ts';
import type { JournalLine } from '../ports/journal.ts';
import { LLM_VENDORS } from '../providers/llm-vendors.ts';
import { RECOGNISER_NAMES, VOICE_NAMES } from '../providers/vendor-set.ts';
import { assistantOfSettings } from '../simulation/what-if/assistant-of-settings.ts';
import { changedSettings } from '../simulation/what-if/changed-settings.ts';
import { compareCalls } from '../simulation/what-if/compare.ts';
import { replayChangedNow } from '../simulation/what-if/replay-changed.ts';
import { type VersionedAssistant, versionedAssistant } from './assistant-name.ts';
import { CliError } from './cli-error.ts';

/** What is otherwise, as the command line says it. */
export interface WhatIfChange {
  readonly instead?: VersionedAssistant;
  readonly assistant?: Readonly<Record<string, unknown>>;
  readonly tools: Readonly<Record<string, ToolChange>>;
  readonly caller: CutInReaction;
}

const listOf = (names: readonly string[]) => ({ names, defaultName: 'offline' });
const schema = assistantConfigSchema({
  llm: listOf(LLM_VENDORS),
  stt: listOf(RECOGNISER_NAMES),
  tts: listOf(VOICE_NAMES),
});

/** Reads `--with`, `--fail` and `--caller`. Throws CliError, which names the field. */
export async function readChange(options: {
  readonly with?: string | undefined;
  readonly fail: readonly string[];
  readonly caller: string;
}): Promise<WhatIfChange> {
  const caller = CutInReactionSchema.safeParse(options.caller);
  if (!caller.success)
    throw new CliError(`--caller must be one of ${CutInReactionSchema.options.join(', ')}`, 2);
  const tools = options.fail.map((text) => {
    const [name = '', ...error] = text.split('=');
    return [name, { error: error.join('=') || 'the tool failed' }] as const;
  });
  const instead = options.with === undefined ? undefined : versionedAssistant(options.with);
  return {
    ...(instead ? { instead } : {}),
    ...(options.with === undefined || instead ? {} : { assistant: await readPatch(options.with) }),
    tools: Object.fromEntries(tools),
    caller: caller.data,
  };
}

async function readPatch(path: string): Promise<Readonly<Record<string, unknown>>> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CliError(`${path} is no JSON: ${error.message}`, 2);
    throw new CliError(`${path} cannot be read`, 2);
  }
  const patch = validate(mergePatchSchema(schema), json);
  if (patch.ok) return patch.value;
  throw new CliError(`${path}: ${describeFaults(patch.faults)}`, 2);
}

/** Replays a journal with a change, with what its settings tell of the assistant. */
export function replayHere(lines: readonly JournalLine[], change: WhatIfChange): Comparison {
  const { assistant: patch, tools, caller } = change;
  const { settings: recorded } = readJournalHead(lines);
  if (!patch) return compareCalls(lines, replayChangedNow(lines, { tools, caller }));
  const defaults = schema.parse({ name: 'recorded' });
  const before = applyMergePatch(defaults, assistantOfSettings(recorded)) as AssistantConfig;
  // What the patch takes away gets its default back.
  const after = applyMergePatch(defaults, applyMergePatch(before, patch)) as AssistantConfig;
  const variables = recorded.workflow?.variables ?? {};
  const { settings, withoutEffect } = changedSettings({
    settings: recorded,
    before,
    after,
    variables,
  });
  const comparison = compareCalls(lines, replayChangedNow(lines, { settings, tools, caller }));
  return { ...comparison, notReplayed: [...withoutEffect] };
}
