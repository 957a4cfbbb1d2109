import { expect, test } from 'vitest';
import { callVariables } from '../../src/calls/variables.ts';
import { renderTemplate } from '../../src/engine/settings/render-template.ts';
import type { CallRecord } from '../../src/store/calls.ts';
import { callSnapshot } from '../support/call-snapshot.ts';

const record = {
  id: 'CC-1',
  userNumber: '+4930123456',
  customerName: 'Ada',
  assistantNumber: '+4930555000',
  metadata: { city: 'Bergen', order: { no: 7 }, plan: 'basic' },
  snapshot: { ...callSnapshot, variables: { plan: 'gold' } },
} as unknown as CallRecord;

test('texts are filled from what is built in, the metadata, and the dynamic variables over both', () => {
  const variables = callVariables(record, Date.parse('2026-03-05T12:00:00Z'));
  const said = renderTemplate(
    '{{customer.name}} {{customer.number}} {{ assistant.number }} {{call.id}} {{city}} {{order}} {{plan}} {{nobody}}.',
    variables,
  );
  expect(said).toBe('Ada +4930123456 +4930555000 CC-1 Bergen {"no":7} gold .');
  expect(renderTemplate('{{date}}', variables)).toBe('Thursday, March 5, 2026');
  expect(variables.now).toContain('March 5, 2026');
  expect(variables.time).toMatch(/\d:\d\d/);
});
