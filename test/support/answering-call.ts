import { expect } from 'vitest';
import { CallHarness, type ModelReply, type World } from './call-harness.ts';

export const LONG =
  'The first plan includes calls within the country. It costs twelve euros. The second one adds data abroad.';

export const SETTINGS: World['settings'] = {
  callType: 'phone',
  drafts: true,
  welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
};

/** What the model says to words that it may take for somebody else's. */
export type Verdict = string | ModelReply;

/** The caller has asked, and the answer sounds from some 2.5 s on, one word every 300 ms. */
export function answering(verdict: Verdict, world: World = {}): CallHarness {
  const call = new CallHarness({
    model: (_text, index) => (index === 0 ? LONG : verdict),
    ...world,
    settings: { ...SETTINGS, ...world.settings },
  }).answer();
  call.says(200, 'How do the two plans differ?', { ms: 1200 });
  call.runTo(3000);
  expect(call.call.view.assistant).toBe('speaking');
  return call;
}
