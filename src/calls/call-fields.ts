import { applyOverrides } from '../contract/apply-overrides.ts';
import type { Db } from '../store/db.ts';
import { snapshotTools } from '../store/snapshot-tools.ts';
import type { ChosenAssistant } from './choose-assistant.ts';
import type { ConnectParams } from './connect.ts';

/** What a call's record holds from the start, whatever its kind: above all, what it will run on. */
export async function callFields(
  db: Db,
  { teamId, input, baseUrl }: ConnectParams,
  { assistantId, config }: ChosenAssistant,
) {
  const { customer, metadata, direction, assistantOverrides: overrides } = input;
  const { assistant, variables, recordingPath } = applyOverrides(config, overrides);
  return {
    teamId,
    direction,
    assistantId,
    userNumber: customer?.number ?? null,
    customerName: customer?.name ?? null,
    metadata,
    snapshot: {
      assistant,
      overrides,
      variables,
      ...(recordingPath ? { recordingPath } : {}),
      metadata,
      customer: customer ?? {},
      tools: await snapshotTools(db, { teamId, assistant }),
      baseUrl,
    },
  };
}
