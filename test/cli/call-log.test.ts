import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { CallLog } from '../../src/cli/call-log.ts';

function shown(columns?: number): string {
  let text = '';
  const log = new CallLog(
    (piece) => {
      text += piece;
    },
    { columns },
  );
  log.frame({ type: 'status', status: 'ongoing' }, 10);
  log.frame({ type: 'transcript', role: 'user', text: 'what', final: false }, 1200);
  log.frame({ type: 'transcript', role: 'user', text: 'what is', final: false }, 1300);
  log.frame({ type: 'transcript', role: 'user', text: 'What is it?', final: true }, 1400);
  log.frame({ type: 'state', user: 'silent', assistant: 'thinking' }, 1400);
  log.frame({ type: 'state', user: 'silent', assistant: 'thinking' }, 1500);
  log.frame({ type: 'ended', reason: 'user-hung-up' }, 61_234);
  return text;
}

test('a file gets whole lines only', () => {
  expect(shown()).toBe(
    [
      '   0.01  status     ongoing',
      '   1.40  caller     What is it?',
      '   1.40  state      caller silent, assistant thinking',
      '  61.23  ended      user-hung-up',
      '',
    ].join('\n'),
  );
});

test('a terminal sees the words come, on one line that is never wider than it', () => {
  const text = stripVTControlCharacters(shown(27));
  // What a terminal ends up with: each rewritten line gone.
  expect(text.replaceAll(/[^\n]*\r/g, '')).toBe(shown());
  expect(text.split('\r')).toContain('   1.30  caller     what i');
});
