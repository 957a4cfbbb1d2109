import { expect, test } from 'vitest';
import { Call } from '../../src/engine/machine/call.ts';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import { CallHarness } from '../support/call-harness.ts';
import { callSettings } from '../support/call-settings.ts';

const { welcome } = callSettings();
const waiting = () =>
  new Call({
    settings: callSettings({ welcome: { ...welcome, mode: 'assistant-waits-for-user' } }),
  });

test('a fault in a rule of the statechart is thrown to who sends the event, and can end the call', () => {
  const settings = { ...callSettings(), welcome: undefined } as unknown as CallSettings;
  const call = new Call({ settings });
  expect(() => call.dispatch({ type: 'leg.answered', seq: 1, at: 0 })).toThrow(TypeError);
});

test('what an event leads to at the same instant is decided with it, not by a timer a moment later', () => {
  const call = waiting();
  call.dispatch({ type: 'leg.answered', seq: 1, at: 0 });
  const commands = call.dispatch({ type: 'typed', text: 'Are you open?', seq: 2, at: 1000 });
  expect(commands.map(({ type }) => type)).toContain('llm.start');
  expect(call.nextDueAt()).toBeGreaterThan(1000);
});

test('a call that was stopped has no timer left', () => {
  const call = waiting();
  call.dispatch({ type: 'leg.answered', seq: 1, at: 0 });
  expect(call.nextDueAt()).toBeDefined();
  call.stop();
  expect(call.nextDueAt()).toBeUndefined();
});

test('a snapshot holds the timers in the order in which they will fire', () => {
  const call = new CallHarness().answer();
  call.says(2000, 'Is it open?');
  call.says(3600, 'And on Sunday?');
  let most = 0;
  while (call.now < 8000) {
    call.runTo(call.now + 50);
    const dues = call.call.snapshot.timers.map(([, at]) => at);
    expect(dues).toEqual(dues.toSorted((a, b) => a - b));
    most = Math.max(most, dues.length);
  }
  expect(most).toBeGreaterThan(2);
});
