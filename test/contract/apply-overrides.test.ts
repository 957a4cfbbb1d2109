import { expect, test } from 'vitest';
import { applyOverrides } from '../../src/contract/apply-overrides.ts';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { vendors } from './vendors.ts';

test("the call's overrides win over the assistant's own, which win over its fields; variables add up", () => {
  const assistant = assistantConfigSchema(vendors).parse({
    name: 'Ada',
    welcomeMessage: 'field',
    recordingEnabled: true,
    warmTransferTimeout: 20,
    assistantOverrides: {
      welcomeMessage: 'own',
      recordingEnabled: false,
      dynamicVariables: { a: 'own', b: 'own' },
    },
  });
  const effective = applyOverrides(assistant, {
    welcomeMessage: 'call',
    recordingPath: 'x/y',
    dynamicVariables: { b: 'call', c: 'call' },
  });
  expect(effective.assistant).toEqual({
    ...assistant,
    welcomeMessage: 'call',
    recordingEnabled: false,
  });
  expect(effective.variables).toEqual({ a: 'own', b: 'call', c: 'call' });
  expect(effective.recordingPath).toBe('x/y');
});

test('an assistant without overrides is taken as it is', () => {
  const assistant = assistantConfigSchema(vendors).parse({ name: 'Ada' });
  expect(applyOverrides(assistant)).toEqual({ assistant, variables: {} });
});
