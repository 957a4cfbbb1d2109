import { answerTasks } from '../lib/compute-thread.ts';
import { type ParsedTests, parseTests } from './parse-tests.ts';
import { type TestsOfCalls, withoutCalls } from './without-calls.ts';

/** A text alone is read. */
export type TestsTask = string | TestsOfCalls;

answerTasks((task: TestsTask): ParsedTests | string | null =>
  typeof task === 'string' ? parseTests(task) : withoutCalls(task),
);
