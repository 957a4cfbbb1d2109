import type { z } from 'zod';
import { applyOverrides } from '../../contract/apply-overrides.ts';
import type { AssistantConfig } from '../../contract/assistant.ts';
import type { ConnectedCall } from '../../contract/call.ts';
import type { connectSchema } from '../../contract/connect.ts';
import { missing, Problem } from '../../contract/errors.ts';
import { describeFaults, validate } from '../../contract/validation.ts';
import { newCallId } from '../../lib/ids.ts';
import { getAssistant } from '../../store/assistants.ts';
import { createCall } from '../../store/calls.ts';
import { createMediaToken } from '../../store/media-tokens.ts';
import { snapshotTools } from '../../store/snapshot-tools.ts';
import { checkReferences } from '../assistants/check-references.ts';
import type { ApiDeps, ApiLimits } from '../deps.ts';
import { presentCall } from './present.ts';

type ConnectInput = z.output<ReturnType<typeof connectSchema>>;

export interface ConnectDeps extends Pick<ApiDeps, 'db' | 'ready' | 'hasRoom'> {
  readonly now: () => number;
  readonly limits: Pick<ApiLimits, 'mediaTokenMs'>;
  readonly assistantSchema: z.ZodType<AssistantConfig>;
}

export interface ConnectParams {
  readonly teamId: string;
  readonly input: ConnectInput;
  readonly baseUrl: string;
}

const RETRY_AFTER_SECONDS = 5;

/** Makes a call ready to be answered: its record, with everything it will run on, and the way to its media. */
export async function connectCall(
  deps: ConnectDeps,
  { teamId, input, baseUrl }: ConnectParams,
): Promise<ConnectedCall> {
  // No carrier yet, so no team has a number.
  if (input.phoneNumberId !== undefined) throw missing('number');
  refuseUnlessOpen(deps);
  const { assistantId, config } = await chooseAssistant(deps, { teamId, input });
  const { assistant, variables, recordingPath } = applyOverrides(config, input.assistantOverrides);
  const expiresAt = new Date(deps.now() + deps.limits.mediaTokenMs);
  const { call, token } = await deps.db.transaction(async (tx) => {
    const call = await createCall(tx, {
      id: newCallId('web'),
      teamId,
      callType: 'web',
      direction: input.direction,
      assistantId,
      userNumber: input.customer?.number ?? null,
      customerName: input.customer?.name ?? null,
      metadata: input.metadata,
      snapshot: {
        assistant,
        overrides: input.assistantOverrides,
        variables,
        ...(recordingPath ? { recordingPath } : {}),
        metadata: input.metadata,
        customer: input.customer ?? {},
        tools: await snapshotTools(tx, { teamId, assistant }),
        baseUrl,
      },
    });
    return { call, ...(await createMediaToken(tx, { callId: call.id, expiresAt })) };
  });
  return {
    ...presentCall(call, [], baseUrl),
    webCall: {
      url: `${baseUrl.replace(/^http/, 'ws')}/media/web/${token}`,
      token,
      expiresAt: expiresAt.toISOString(),
    },
  };
}

function refuseUnlessOpen({ ready, hasRoom }: Pick<ConnectDeps, 'ready' | 'hasRoom'>): void {
  if (!ready()) {
    throw new Problem({
      kind: 'unavailable',
      message: 'No new calls are taken at the moment',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (!hasRoom()) {
    throw new Problem({
      kind: 'too-many',
      message: 'Too many calls at once',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}

interface Chosen {
  /** Absent for an inline assistant. */
  readonly assistantId: string | null;
  readonly config: AssistantConfig;
}

async function chooseAssistant(
  { db, assistantSchema }: ConnectDeps,
  { teamId, input }: Pick<ConnectParams, 'teamId' | 'input'>,
): Promise<Chosen> {
  if (input.assistant) {
    await checkReferences(db, input.assistant, { teamId, path: 'assistant.' });
    return { assistantId: null, config: input.assistant };
  }
  const id = input.assistantId;
  if (id === undefined) throw missing('assistant');
  const { config } = await getAssistant(db, { teamId, id });
  // Checked again: it may name a vendor this service no longer has, or lack a setting made since.
  const checked = validate(assistantSchema, config);
  if (!checked.ok) {
    throw new Problem({
      kind: 'conflict',
      message: `The assistant cannot take calls as it is: ${describeFaults(checked.faults)}`,
    });
  }
  return { assistantId: id, config: checked.value };
}
