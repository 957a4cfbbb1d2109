import { describe, expect, test } from 'vitest';
import type { StampedCommand } from '../../src/engine/machine/commands.ts';
import { messagesOf } from '../../src/engine/machine/messages-of.ts';

const append = (messageId: string, text: string, at: number): StampedCommand => ({
  type: 'transcript.append',
  message: { messageId, role: 'user', text, at },
  at,
});
const patch = (messageId: string, text: string, at: number): StampedCommand => ({
  type: 'transcript.patch',
  messageId,
  text,
  frozen: false,
  at,
});

describe('the messages of a call', () => {
  test('stand in the order in which they began, each with its last text', () => {
    const commands = [
      append('u1', 'Is it', 10),
      append('u2', 'Hello', 20),
      { type: 'play.hold', at: 25 },
      patch('u1', 'Is it open?', 30),
      patch('u1', 'Is it open on Sunday?', 40),
    ] satisfies StampedCommand[];
    expect(messagesOf(commands)).toEqual([
      { messageId: 'u1', role: 'user', text: 'Is it open on Sunday?', at: 10 },
      { messageId: 'u2', role: 'user', text: 'Hello', at: 20 },
    ]);
  });

  test('go on from those that were there before', () => {
    const earlier = messagesOf([append('u1', 'Is it', 10)]);
    expect(
      messagesOf([patch('u1', 'Is it open?', 30), append('u2', 'Hello', 40)], earlier),
    ).toEqual([
      { messageId: 'u1', role: 'user', text: 'Is it open?', at: 10 },
      { messageId: 'u2', role: 'user', text: 'Hello', at: 40 },
    ]);
  });

  test('are none for a text that belongs to no message', () => {
    expect(messagesOf([patch('u1', 'Is it open?', 30)])).toEqual([]);
  });
});
