import { invalid } from '../../contract/errors.ts';
import { applyMergePatch } from '../../contract/merge-patch.ts';
import { type ToolConfig, ToolConfigSchema } from '../../contract/tool.ts';
import { validate } from '../../contract/validation.ts';
import { getTool, type ToolRecord, updateTool } from '../../store/tools.ts';
import type { ApiDeps } from '../deps.ts';
import { refuseIfChanged } from '../entity-tag.ts';
import { refuseUnusableSchema } from '../refuse-unusable-schema.ts';
import { retryRaces } from '../retry-races.ts';
import { presentTool } from './present.ts';

interface Patch {
  readonly teamId: string;
  readonly id: string;
  readonly patch: Readonly<Record<string, unknown>>;
  /** Entity tags that the client has read; absent: the patch applies to any version. */
  readonly ifMatch: string | undefined;
}

/** A tool's schema of parameters, with its path in the request. */
export const parametersOf = (config: ToolConfig, teamId: string) => ({
  schema: config.function.parameters,
  teamId,
  path: 'function.parameters',
});

/** Merges a patch into a tool. */
export function patchTool(
  { db, toolServers }: Pick<ApiDeps, 'db' | 'toolServers'>,
  { teamId, id, patch, ifMatch }: Patch,
): Promise<ToolRecord> {
  return retryRaces(async () => {
    const current = await getTool(db, { teamId, id });
    refuseIfChanged(ifMatch, presentTool(current));
    const merged = validate(ToolConfigSchema, applyMergePatch(current.config, patch));
    if (!merged.ok) throw invalid(merged.faults);
    const config = merged.value;
    const stored = current.config.function.parameters;
    const sent = { ...parametersOf(config, teamId), stored };
    await refuseUnusableSchema(toolServers.schemas, sent);
    const expectedVersion = current.version;
    return updateTool(db, { teamId, id, config, expectedVersion });
  });
}
