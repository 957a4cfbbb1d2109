import type { z } from 'zod';
import { applyOverrides } from '../contract/apply-overrides.ts';
import type { AssistantConfig } from '../contract/assistant.ts';
import type { ConnectInput } from '../contract/connect.ts';
import type { VendorProblem } from '../contract/vendors.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Dialer } from '../ports/dialer.ts';
import type { Db } from '../store/db.ts';
import { snapshotTools } from '../store/snapshot-tools.ts';
import type { ChosenAssistant } from './choose-assistant.ts';

export interface ConnectDeps {
  readonly db: Db;
  readonly carriers: Carriers;
  readonly vendorProblems: (assistant: AssistantConfig) => readonly VendorProblem[];
  /** Absent: no phone calls are placed. */
  readonly dialer?: Dialer | undefined;
  /** Base address at which carriers reach the service, where one is configured; without a slash at its end. */
  readonly carrierBaseUrl?: string | undefined;
  /** Whether new calls are taken: false while starting and draining. */
  readonly ready: () => boolean;
  /** Whether there is room for one more call. */
  readonly hasRoom: () => boolean | Promise<boolean>;
  readonly now: () => number;
  readonly limits: {
    /** How long the token of a web call's media socket is valid. */
    readonly mediaTokenMs: number;
  };
  readonly assistantSchema: z.ZodType<AssistantConfig>;
}

export interface ConnectParams {
  readonly teamId: string;
  readonly input: ConnectInput;
  readonly baseUrl: string;
}

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
