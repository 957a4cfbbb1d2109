import { existsSync } from 'node:fs';

/** A version of an assistant, as `id@version` names it. */
export interface VersionedAssistant {
  readonly assistantId: string;
  /** Number or label. */
  readonly assistantVersion: string;
}

/** Reads `id@version`; undefined if the text names a file or has no version. */
export function versionedAssistant(text: string): VersionedAssistant | undefined {
  const [, assistantId, assistantVersion] = /^([^@/\\]+)@([^@/\\]+)$/.exec(text) ?? [];
  if (assistantId === undefined || assistantVersion === undefined) return undefined;
  return text.endsWith('.json') || existsSync(text) ? undefined : { assistantId, assistantVersion };
}
