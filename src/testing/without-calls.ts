import { isMap, isSeq, parseDocument } from 'yaml';

/** A text of tests of which some were made of calls. */
export interface TestsOfCalls {
  readonly source: string;
  readonly callIds: readonly string[];
}

/** The text without the tests that were made of these calls; null if none is left. Pure; takes as long as reading it. */
export function withoutCalls({ source, callIds }: TestsOfCalls): string | null {
  const document = parseDocument(source, { prettyErrors: false });
  const tests = document.getIn(['tests']);
  if (document.errors.length > 0 || !isSeq(tests)) return null;
  // What the call's assistant answered stands in comments within the test, and goes with it.
  tests.items = tests.items.filter(
    (test) => !isMap(test) || !callIds.includes(String(test.get('fromCall'))),
  );
  return tests.items.length === 0 ? null : document.toString({ lineWidth: 0 });
}
