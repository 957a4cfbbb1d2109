import { expect, test } from 'vitest';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import { CallHarness } from '../support/call-harness.ts';
import { callSettings } from '../support/call-settings.ts';

/** A call that is put through after a second, to a number that is engaged after six. */
function engaged(settings: Partial<CallSettings> = {}): CallHarness {
  const { transfer } = callSettings();
  return new CallHarness({
    settings: {
      callType: 'phone',
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      transfer: { ...transfer, toolEnabled: true, phoneNumber: '+14155550123', name: 'Anna' },
      ...settings,
    },
  })
    .answer()
    .at(1000, { type: 'control.forward' })
    .at(6000, { type: 'operator.failed', legId: 1, reason: 'busy', code: '486' });
}

test('[X6] [D2] keys that were pressed before the transfer are no part of what is keyed after it', () => {
  const call = engaged({ dtmfInput: true });
  call.at(800, { type: 'dtmf', digit: '1' });
  call.at(12_000, { type: 'dtmf', digit: '3' }).at(12_100, { type: 'dtmf', digit: '#' });
  call.runTo(16_000);
  expect(call.transcript).toContain('user: [keypad] 3');
});

test('[X6] [Y1] a caller who spoke as the transfer began, and has long been silent, is told what is to be said', () => {
  const call = engaged();
  call.at(580, { type: 'vad.start', onsetAt: 500 });
  call.at(2000, { type: 'vad.stop', speechEndAt: 1800 });
  call.at(12_000, { type: 'control.say', text: 'By the way.' });
  call.runTo(14_000);
  expect(call.spoken.at(-1)).toBe('By the way.');
});
