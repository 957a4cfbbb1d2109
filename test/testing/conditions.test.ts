import { describe, expect, test } from 'vitest';
import type { Condition } from '../../src/contract/assistant-test.ts';
import { type Evidence, judgeCondition } from '../../src/testing/conditions.ts';

const nobody = () => Promise.reject(new Error('the judge is down'));

const evidence: Evidence = {
  said: 'It’s nine  euros.\nShall I order it?',
  tools: [
    { name: 'look', arguments: { id: '17', more: { a: 1, b: 2 } }, ok: true, turn: 1, atMs: 100 },
    { name: 'look', arguments: { id: '18' }, ok: false, turn: 1, atMs: 200 },
  ],
  transfers: [
    { to: '+15550100', result: 'busy', atMs: 300 },
    { to: '+15550101', result: undefined, atMs: 400 },
  ],
  answersMs: [900, 1500],
  endReason: 'user-hung-up',
};

const verdict = async (condition: Condition, of: Partial<Evidence> = {}) =>
  (await judgeCondition(condition, { ...evidence, ...of }, nobody)).verdict;

describe('conditions', () => {
  test.each<[Condition, Condition]>([
    [{ contains: "it's NINE euros" }, { contains: ['nine euros', 'ten euros'] }],
    [{ matches: 'nine\\s+EUROS' }, { matches: '^shall i order$' }],
    [{ never: ['dollars', 'pounds'] }, { never: ['dollars', 'nine euros'] }],
    [{ neverMatches: '\\bten\\b' }, { neverMatches: 'order.it' }],
    [{ tool: 'look' }, { tool: 'book' }],
    [
      { tool: { name: 'look', arguments: { more: { b: 2 } } } },
      { tool: { name: 'look', arguments: { id: 17 } } },
    ],
    [{ tool: { name: 'look', times: 2 } }, { tool: { name: 'look', times: 1 } }],
    [{ noTool: 'book' }, { noTool: 'look' }],
    [{ transfer: {} }, { noTransfer: true }],
    [
      { transfer: { to: '+15550100', result: 'busy' } },
      { transfer: { to: '+15550101', result: 'busy' } },
    ],
    [{ answerWithinMs: 1500 }, { answerWithinMs: 1499 }],
    [{ outcome: 'user-hung-up' }, { outcome: 'assistant-ended-call' }],
  ])('%j is met and %j is not', async (met, unmet) => {
    expect(await verdict(met)).toBe('met');
    expect(await verdict(unmet)).toBe('unmet');
  });

  test('an answer that never came is late', async () => {
    expect(await verdict({ answerWithinMs: 100_000 }, { answersMs: [undefined] })).toBe('unmet');
    expect(await verdict({ answerWithinMs: 100_000 }, { answersMs: [] })).toBe('unmet');
  });

  test('a judge who cannot be asked has not judged, and never passes', async () => {
    expect(await judgeCondition({ judge: 'It is friendly.' }, evidence, nobody)).toEqual({
      condition: 'judged: It is friendly.',
      verdict: 'not-judged',
      detail: 'the judge is down',
    });
    const strict = async () => ({ met: false, reason: 'It was rude.' });
    expect(await judgeCondition({ judge: 'It is friendly.' }, evidence, strict)).toMatchObject({
      verdict: 'unmet',
      detail: 'It was rude.',
    });
  });

  test('a pattern that is slow elsewhere takes time in proportion to the text', async () => {
    const said = 'a'.repeat(20_000);
    expect(await verdict({ matches: '(a+)+$b' }, { said })).toBe('unmet');
  });
});
