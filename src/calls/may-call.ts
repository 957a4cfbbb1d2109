import type { AssistantConfig } from '../contract/assistant.ts';
import { NOT_CALLABLE, type NotCallableCode } from '../contract/do-not-call.ts';
import { Problem } from '../contract/errors.ts';
import type { Db } from '../store/db.ts';
import { isDoNotCall } from '../store/do-not-call.ts';
import { judgeHours, timeZonesOf } from './calling-hours.ts';

/** Throws Problem if a number may not be called now: it is on the team's list, or outside the assistant's hours. */
export async function refuseUnlessCallable(
  db: Db,
  {
    teamId,
    number,
    assistant,
    nowMs,
  }: {
    readonly teamId: string;
    readonly number: string;
    readonly assistant: AssistantConfig;
    readonly nowMs: number;
  },
): Promise<void> {
  if (await isDoNotCall(db, { teamId, number })) throw notCallable('do-not-call', number);
  const { callingHours: hours } = assistant;
  if (!hours?.enabled) return;
  const zones = hours.timeZone ? [] : await timeZonesOf(number);
  const judged = judgeHours(hours, { zones, atMs: nowMs });
  if (judged !== 'open') throw notCallable(judged, number);
}

function notCallable(code: NotCallableCode, number: string): Problem {
  return new Problem({
    kind: 'not-callable',
    code,
    message: `${NOT_CALLABLE[code]} (${number})`,
  });
}
