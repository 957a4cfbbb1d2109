import type { AssistantTest } from '../contract/assistant-test.ts';
import { blankCall } from '../store/blank-call.ts';
import type { CallRecord } from '../store/calls.ts';
import type { Tested } from './tested.ts';

/** The record of the call that a test stands for. It is not stored. */
export function recordOf(
  test: AssistantTest,
  { teamId, assistantId, snapshot }: Omit<Tested, 'llm' | 'judge'>,
): CallRecord {
  return blankCall({
    id: 'WC-test',
    teamId,
    assistantId,
    callType: 'web',
    direction: 'inbound',
    status: 'queued',
    startAt: new Date(test.at),
    snapshot: { ...snapshot, variables: { ...snapshot.variables, ...test.variables } },
  });
}
