import { expect, test } from 'vitest';
import type { CallCommand } from '../../src/engine/machine/commands.ts';
import { webhookUpdateOf } from '../../src/engine/webhook-events.ts';

const kindOf = (command: CallCommand) => webhookUpdateOf(command)?.webhook?.kind;

test('a message is told when it is complete: of the caller at once, of the assistant once it was heard', () => {
  const said = (role: 'user' | 'assistant'): CallCommand => ({
    type: 'transcript.append',
    message: { messageId: 'm1', role, text: 'Hello', at: 0 },
  });
  const heard = (frozen: boolean): CallCommand => ({
    type: 'transcript.patch',
    messageId: 'm1',
    text: 'Hello',
    frozen,
  });
  expect([said('user'), said('assistant'), heard(false), heard(true)].map(kindOf)).toEqual([
    'conversation-update',
    undefined,
    undefined,
    'conversation-update',
  ]);
});

test('a failure is told in the sentence of the table, a successor as a vendor that was replaced', () => {
  const failed = (successor?: string): CallCommand => ({
    type: 'webhook',
    kind: 'error',
    data: { type: 'stt', code: 'x', message: 'down', ...(successor ? { successor } : {}) },
  });
  const codes = [failed(), failed('deepgram')].map(
    (command) => webhookUpdateOf(command)?.webhook?.details,
  );
  expect(codes).toMatchObject([
    { error: { type: 'stt', code: 'recogniser-error', retryable: false } },
    { error: { type: 'stt', code: 'vendor-replaced' } },
  ]);
});

test('of a transfer only a failure is told, and nothing of what the call does otherwise', () => {
  const hungUp = (reason: string): CallCommand => ({ type: 'leg.hangup', legId: 1, reason });
  expect(['busy', 'user-hung-up'].map((reason) => kindOf(hungUp(reason)))).toEqual([
    'error',
    undefined,
  ]);
  expect(webhookUpdateOf({ type: 'play.clear' })).toBeUndefined();
});
