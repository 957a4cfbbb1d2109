import type { AssistantTest } from '../../contract/assistant-test.ts';
import { invalid } from '../../contract/errors.ts';
import type { SpokenChoice } from '../../contract/test-suite.ts';
import { modelFault } from './spoken-assistant.ts';
import { spokenJobs } from './spoken-jobs.ts';

/** Some two seconds each. */
const MAX_SPOKEN_CALLS = 600;

/** The tests of the calls of a spoken run. Throws Problem if they are too many, or cannot be spoken with the assistant. */
export function spokenTests(
  tests: readonly AssistantTest[],
  { conditions }: SpokenChoice,
  assistant: { readonly assistantProvider?: string } | undefined,
): readonly AssistantTest[] {
  const jobs = spokenJobs(tests, conditions);
  if (jobs.length > MAX_SPOKEN_CALLS) {
    const message = `makes ${jobs.length} calls: one run speaks ${MAX_SPOKEN_CALLS} at most`;
    throw invalid([{ path: 'spoken', message }]);
  }
  const fault = assistant && modelFault(assistant, tests);
  if (fault !== undefined) throw invalid([{ path: 'spoken', message: fault }]);
  return jobs.map(({ test }) => test);
}
