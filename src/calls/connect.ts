import type { ConnectedCall } from '../contract/call.ts';
import { Problem } from '../contract/errors.ts';
import { presentCall } from '../contract/present-call.ts';
import { newCallId } from '../lib/ids.ts';
import { createCall } from '../store/calls.ts';
import { createMediaToken } from '../store/media-tokens.ts';
import { admittedFields, type ConnectDeps, type ConnectParams } from './call-fields.ts';
import { chooseAssistant } from './choose-assistant.ts';
import { connectPhoneCall } from './connect-phone.ts';
import { limitedByKey } from './public-key-limits.ts';

const RETRY_AFTER_SECONDS = 5;

/** Starts a call: by phone if the request names a number to call from, else on the web. */
export async function connectCall(
  deps: ConnectDeps,
  params: ConnectParams,
): Promise<ConnectedCall> {
  await refuseUnlessOpen(deps);
  const { db, callStarts } = deps;
  const { teamId, publicKey } = params;
  const { phoneNumberId } = params.input;
  if (phoneNumberId === undefined) {
    await callStarts.announced(db, { teamId, publicKeyId: publicKey?.id });
    return connectWebCall(deps, params);
  }
  await callStarts.placed(db, { teamId });
  return connectPhoneCall(deps, { ...params, phoneNumberId });
}

/** Creates the record of a web call, and a token for its media socket. */
async function connectWebCall(
  deps: ConnectDeps,
  { teamId, input, baseUrl, publicKey }: ConnectParams,
): Promise<ConnectedCall> {
  const chosen = await chooseAssistant(deps, {
    teamId,
    inline: input.assistant,
    named: input.assistantId,
    attached: null,
    version: input.assistantVersion,
  });
  deps.expectCall?.(chosen.config);
  const expiresAt = new Date(deps.now() + deps.limits.mediaTokenMs);
  const { call, token } = await deps.db.transaction(async (tx) => {
    const admitted = await admittedFields(tx, deps, { teamId, input, baseUrl }, chosen);
    const fields = publicKey ? await limitedByKey(tx, publicKey, admitted) : admitted;
    const call = await createCall(tx, {
      ...fields,
      id: newCallId('web'),
      callType: 'web',
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

async function refuseUnlessOpen({
  ready,
  hasRoom,
}: Pick<ConnectDeps, 'ready' | 'hasRoom'>): Promise<void> {
  if (!ready()) {
    throw new Problem({
      kind: 'unavailable',
      message: 'No new calls are taken at the moment',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (!(await hasRoom())) {
    throw new Problem({
      kind: 'too-many',
      message: 'Too many calls at once',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}
