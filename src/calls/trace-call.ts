import { readCallEvents } from '../store/call-events.ts';
import { findCallOfAnyTeam } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import type { CallSpan } from '../telemetry/trace/call-span.ts';
import { CallTrace, TRACED_TYPES } from '../telemetry/trace/spans-of.ts';

/** The spans of a call by its stored journal, which is redacted where its assistant wants that; none if it is gone. */
export async function spansOfCall(
  db: Db,
  { callId, captureContent }: { readonly callId: string; readonly captureContent: boolean },
): Promise<readonly CallSpan[]> {
  const call = await findCallOfAnyTeam(db, { id: callId });
  if (!call) return [];
  const { teamId, assistantId, assistantVersion, startAt, usage } = call;
  const trace = new CallTrace({
    startedAtMs: startAt.getTime(),
    teamId,
    assistant: {
      ...(assistantId === null ? {} : { id: assistantId }),
      ...(assistantVersion === null ? {} : { version: assistantVersion }),
    },
    usage,
    captureContent,
  });
  for await (const line of readCallEvents(db, { callId, types: TRACED_TYPES })) trace.add(line);
  return trace.spans();
}
