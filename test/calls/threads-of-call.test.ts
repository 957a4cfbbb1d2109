import { expect, test } from 'vitest';
import { threadsOf } from '../../src/calls/threads-of-call.ts';
import { callSnapshot } from '../support/call-snapshot.ts';

test('a call keeps the threads that its vendors, tools and knowledge may need, and no others', () => {
  const { assistant } = callSnapshot;
  const ofVendors = { threadsOf: () => ['vad', 'voice'] as const };
  const withBase = (knowledgeBase: boolean) => ({
    ...assistant,
    assistantKnowledgeBaseIds: ['kb'],
    assistantPredefinedTools: { ...assistant.assistantPredefinedTools, knowledgeBase },
  });
  const tools = [{ id: 't', config: {} as never }];
  const kept = (parts: object) => threadsOf(ofVendors, { ...callSnapshot, ...parts });
  expect(kept({})).toEqual(['vad', 'voice']);
  expect(kept({ tools })).toEqual(['vad', 'voice', 'schemas']);
  expect(kept({ assistant: withBase(false) })).toEqual(['vad', 'voice']);
  expect(kept({ assistant: withBase(true), tools })).toEqual(['vad', 'voice', 'schemas', 'search']);
});
