import { answerTasks } from '../lib/compute-thread.ts';
import { callAsTest } from './call-as-test.ts';
import { type ParsedTests, parseTests } from './parse-tests.ts';
import type { PastCall } from './past-call.ts';
import { type TestsOfCalls, withoutCalls } from './without-calls.ts';

/** A text alone is read, and a call is written as one. */
export type TestsTask = string | TestsOfCalls | PastCall;

answerTasks((task: TestsTask): ParsedTests | string | null => {
  if (typeof task === 'string') return parseTests(task);
  return 'messages' in task ? callAsTest(task) : withoutCalls(task);
});
