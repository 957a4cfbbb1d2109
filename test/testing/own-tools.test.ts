import { describe, expect, test } from 'vitest';
import { ownToolsOf } from '../../src/testing/own-tools.ts';

/** What the log of a call has of one answer of the model. */
const asked = (genId: number, name: string, ...others: readonly (string | object)[]) =>
  [
    { type: 'llm.start', speculative: false },
    { type: 'llm.toolCall', toolCallId: 'c', name, arguments: '{"step":"end"}' },
    ...others.map((other) => (typeof other === 'string' ? { type: other } : other)),
  ].map((line, n) => {
    const { type, ...data } = line as { readonly type: string };
    return { type, data: { genId, ...data }, atMs: genId * 100 + n };
  });

describe('the tools that a call carries out itself', () => {
  test('are used when the model asks for them, with its arguments and its time', () => {
    const log = [
      ...asked(1, 'nextStep', 'llm.done'),
      ...asked(2, 'lookUpOrder', 'llm.done'),
      ...asked(3, 'endCall', 'llm.done', 'llm.cancel'),
    ];
    expect(ownToolsOf(log)).toEqual([
      { name: 'nextStep', arguments: { step: 'end' }, ok: true, turn: 0, atMs: 101 },
      { name: 'endCall', arguments: { step: 'end' }, ok: true, turn: 0, atMs: 301 },
    ]);
  });

  test('are not used by an answer that was given up, or prepared ahead and dropped', () => {
    const ahead = { type: 'llm.start', speculative: true };
    const log = [
      ...asked(1, 'endCall', 'llm.cancel', 'llm.done'),
      ...asked(2, 'endCall', ahead, 'llm.done', 'llm.cancel'),
      ...asked(3, 'endCall'),
      ...asked(4, 'endCall', ahead, 'llm.done', 'llm.adopt'),
    ];
    expect(ownToolsOf(log).map(({ atMs }) => atMs)).toEqual([401]);
  });
});
