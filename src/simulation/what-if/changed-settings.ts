import type { AssistantConfig } from '../../contract/assistant.ts';
import { canonicalJson } from '../../engine/machine/canonical-json.ts';
import { resolveCallSettings } from '../../engine/settings/resolve-settings.ts';
import type { CallSettings } from '../../engine/settings/settings.ts';

export interface ChangedAssistant {
  /** Of the recorded call. */
  readonly settings: CallSettings;
  /** As the call had it, overrides applied. */
  readonly before: AssistantConfig;
  readonly after: AssistantConfig;
  /** Of the call's texts. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * The settings the call would have had with another assistant, and the fields of the assistant that make no difference
 * to them. What the call's settings hold beside the assistant's, such as earlier conversations, stays.
 */
export function changedSettings(changed: ChangedAssistant): {
  readonly settings: CallSettings;
  readonly withoutEffect: readonly string[];
} {
  const { settings, before, after } = changed;
  const was = resolvedAs(changed, before);
  const fields = (Object.keys({ ...before, ...after }) as (keyof AssistantConfig)[]).filter(
    (field) => canonicalJson(before[field] ?? null) !== canonicalJson(after[field] ?? null),
  );
  const withoutEffect = fields.filter((field) => {
    const alone = resolvedAs(changed, { ...before, [field]: after[field] });
    return canonicalJson(alone) === canonicalJson(was);
  });
  return {
    settings: merged(settings, was, resolvedAs(changed, after)) as CallSettings,
    withoutEffect,
  };
}

function resolvedAs(
  { settings, variables }: ChangedAssistant,
  assistant: AssistantConfig,
): CallSettings {
  const { callType, direction, tools, drafts, predictor, seed } = settings;
  return resolveCallSettings({
    assistant,
    variables,
    ...{ callType, direction, tools, drafts, seed },
    stt: {
      finalLatencyP99Ms: settings.sttP99Ms,
      turnAware: settings.sttTurnAware,
      sparseInterims: settings.sttSparseInterims ?? false,
    },
    outsidePredictor: predictor === 'outside',
  });
}

/** Puts what differs between `was` and `is` into the recorded value, within texts too. */
function merged(recorded: unknown, was: unknown, is: unknown): unknown {
  if (canonicalJson(was ?? null) === canonicalJson(is ?? null)) return recorded;
  if (typeof recorded === 'string' && typeof was === 'string' && typeof is === 'string')
    return was !== '' && recorded.includes(was) ? recorded.replace(was, () => is) : is;
  if (!isObject(recorded) || !isObject(was) || !isObject(is)) return is;
  const keys = new Set([...Object.keys(recorded), ...Object.keys(was), ...Object.keys(is)]);
  const entries = [...keys].map((key) => [key, merged(recorded[key], was[key], is[key])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
