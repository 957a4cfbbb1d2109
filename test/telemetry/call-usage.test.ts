import { expect, test } from 'vitest';
import { CallUsage } from '../../src/telemetry/call-usage.ts';

test('requests to one vendor and model add up on one line', () => {
  const usage = new CallUsage();
  const llm = { kind: 'llm', vendor: 'openai', model: 'mini' } as const;
  usage.finished(llm, 'ok', { inputTokens: 10, outputTokens: 2 });
  usage.finished(llm, 'cancelled', { inputTokens: 5, outputTokens: 0, cachedTokens: 4 });
  usage.finished({ ...llm, model: 'maxi' }, 'quota', {});
  usage.finished({ kind: 'stt', vendor: 'deepgram' }, 'ok', { audioMs: 1500 });
  expect(usage.lines()).toEqual([
    { ...llm, requests: 2, inputTokens: 15, outputTokens: 2, cachedTokens: 4 },
    { ...llm, model: 'maxi', requests: 1 },
    { kind: 'stt', vendor: 'deepgram', requests: 1, audioMs: 1500 },
  ]);
});
