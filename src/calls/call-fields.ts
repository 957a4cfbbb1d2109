import type { z } from 'zod';
import { applyOverrides } from '../contract/apply-overrides.ts';
import type { AssistantConfig } from '../contract/assistant.ts';
import type { ConnectInput } from '../contract/connect.ts';
import type { VendorProblem } from '../contract/vendors.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Dialer } from '../ports/dialer.ts';
import type { Db } from '../store/db.ts';
import type { PublicKeyRecord } from '../store/public-keys.ts';
import { snapshotTools } from '../store/snapshot-tools.ts';
import { admitCall } from '../store/team-limits.ts';
import type { CallStarts } from './call-starts.ts';
import type { ChosenAssistant } from './choose-assistant.ts';

export interface ConnectDeps {
  readonly db: Db;
  readonly carriers: Carriers;
  readonly callStarts: Pick<CallStarts, 'announced' | 'placed'>;
  readonly vendorProblems: (assistant: AssistantConfig, team: string) => readonly VendorProblem[];
  /** Called shortly before a call of this assistant: starts engines that take a moment to start. */
  readonly expectCall?: ((assistant: AssistantConfig) => void) | undefined;
  /** Absent: this service cannot place phone calls. */
  readonly dialer?: Dialer | undefined;
  /** Configured base URL at which carriers reach the service; without a trailing slash. */
  readonly carrierBaseUrl?: string | undefined;
  /** True if the service accepts new calls: false while starting and draining. */
  readonly ready: () => boolean;
  /** True if there is room for another call. */
  readonly hasRoom: () => boolean | Promise<boolean>;
  readonly now: () => number;
  readonly limits: {
    /** Validity of the token for a web call's media socket, in ms. */
    readonly mediaTokenMs: number;
  };
  readonly assistantSchema: z.ZodType<AssistantConfig>;
}

export interface ConnectParams {
  readonly teamId: string;
  readonly input: ConnectInput;
  readonly baseUrl: string;
  /** What a page of another site has begun it with. */
  readonly publicKey?: PublicKeyRecord;
}

/**
 * The fields of a new call's record, whatever its type, including the snapshot of its configuration. Throws if the team
 * may not begin another call; holds back its other calls until the transaction ends.
 */
export async function admittedFields(
  tx: Db,
  { now }: Pick<ConnectDeps, 'now'>,
  params: ConnectParams,
  chosen: ChosenAssistant,
) {
  const { teamId } = params;
  const fields = await callFields(tx, params, chosen);
  const isRecorded = fields.snapshot.assistant.recordingEnabled;
  const startAt = new Date(now());
  await admitCall(tx, { teamId, isRecorded, now: startAt });
  return { ...fields, startAt };
}

async function callFields(
  db: Db,
  { teamId, input, baseUrl }: ConnectParams,
  { assistantId, assistantVersion, config }: ChosenAssistant,
) {
  const { customer, metadata, direction, assistantOverrides: overrides } = input;
  const { assistant, variables, recordingPath } = applyOverrides(config, overrides);
  return {
    teamId,
    direction,
    assistantId,
    assistantVersion,
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
