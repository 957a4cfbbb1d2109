import { expect, test } from 'vitest';
import type { LegNotice } from '../../src/ports/media.ts';
import { FailureReports } from '../../src/session/failure-reports.ts';

function setUp() {
  const notes: unknown[] = [];
  const notices: LegNotice[] = [];
  const warnings: unknown[] = [];
  const reports = new FailureReports({
    callId: 'WC-1',
    log: {
      ...{ debug: () => undefined, info: () => undefined, error: () => undefined },
      warn: (fields) => void warnings.push(fields),
    },
    leg: { notify: (notice) => void notices.push(notice) },
    runner: { note: (type, data) => void notes.push([type, data]) },
  });
  return { reports, notes, notices, warnings };
}

test('why a call failed is noted, and told to the far end', () => {
  const { reports, notes, notices } = setUp();
  reports.ended('internal-error', undefined);
  expect(notes).toMatchObject([['failure', { code: 'internal-error' }]]);
  expect(notices).toMatchObject([{ type: 'error', code: 'internal-error' }]);
});

test('an end that is an outcome and no error is noted, and not told', () => {
  const { reports, notes, notices } = setUp();
  reports.ended('busy', undefined);
  expect(notes).toMatchObject([['failure', { code: 'busy' }]]);
  expect(notices).toEqual([]);
});

test('of an ordinary end nothing is said', () => {
  const { reports, notes, notices } = setUp();
  reports.ended('user-hung-up', undefined);
  expect({ notes, notices }).toEqual({ notes: [], notices: [] });
});

test('a part that failed while the call goes on is noted and logged, and the far end is not troubled', () => {
  const { reports, notes, notices, warnings } = setUp();
  reports.survived({ type: 'tool', code: 'timeout', message: 'no answer' });
  expect(notes).toMatchObject([['failure', { cause: { code: 'timeout' } }]]);
  expect(warnings).toMatchObject([{ callId: 'WC-1', cause: { code: 'timeout' } }]);
  expect(notices).toEqual([]);
});
