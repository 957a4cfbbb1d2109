import { Problem } from '../contract/errors.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { CallRecord } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { addDoNotCall } from '../store/do-not-call.ts';
import { createAppointmentTools } from '../tools/appointment/appointment-tools.ts';
import { Refusal } from '../tools/caller.ts';
import { createDoNotCallTool } from '../tools/do-not-call-tool.ts';
import type { HostedTool } from '../tools/hosted-tool.ts';
import { createSendSmsTool } from '../tools/send-sms-tool.ts';
import { createWaitListTools } from '../tools/wait-list/wait-list-tools.ts';
import { sendSms } from './send-sms.ts';

export interface PredefinedToolsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Only for phone calls. */
  readonly carriers?: Carriers;
}

/** The assistant's enabled predefined tools that need the outside world. The engine itself handles the others. */
export function createPredefinedTools(
  deps: PredefinedToolsDeps,
  record: CallRecord,
): readonly HostedTool[] {
  const { assistant } = record.snapshot;
  const { userNumber } = record;
  const { appointment, waitList, sendSms: texts, doNotCall } = assistant.assistantPredefinedTools;
  const caller = {
    ...deps,
    teamId: record.teamId,
    assistantId: record.assistantId,
    callerNumber: userNumber,
    language: assistant.config.speech.stt.languages.split(',')[0]?.trim() ?? 'en-US',
  };
  return [
    ...(appointment ? createAppointmentTools(caller) : []),
    ...(waitList ? createWaitListTools(caller) : []),
    ...(doNotCall && userNumber
      ? [createDoNotCallTool(deps, () => keepFromCalling(deps, record, userNumber))]
      : []),
    ...(texts ? [createSendSmsTool(deps, (text) => textCaller(deps, record, text))] : []),
  ];
}

async function textCaller(
  { db, carriers }: PredefinedToolsDeps,
  record: CallRecord,
  text: string,
): Promise<void> {
  if (!carriers)
    throw new Refusal('no text message can be sent in a web call: tell the caller instead');
  try {
    await sendSms({ db, carriers }, record, text);
  } catch (error) {
    throw error instanceof Problem ? new Refusal(error.message) : error;
  }
}

/** Puts the number of the person on the line on the list of numbers that are not called. */
async function keepFromCalling(
  { db, clock }: PredefinedToolsDeps,
  { teamId, id: callId }: CallRecord,
  number: string,
): Promise<void> {
  await addDoNotCall(db, {
    ...{ teamId, number, callId, source: 'call' },
    now: new Date(clock.now()),
  });
}
