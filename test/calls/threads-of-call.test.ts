import { expect, test } from 'vitest';
import { threadsOfCall } from '../../src/calls/threads-of-call.ts';
import { callSnapshot } from '../support/call-snapshot.ts';

const { assistant } = callSnapshot;
const speech = (stt: string, tts: string) => ({
  ...assistant.config,
  speech: {
    ...assistant.config.speech,
    stt: { ...assistant.config.speech.stt, vendor: stt },
    ttsData: assistant.config.speech.ttsData.map((voice) => ({ ...voice, vendor: tts })),
  },
});
const remote = { ...assistant, config: speech('deepgram', 'cartesia') } as typeof assistant;

test('a call keeps the threads that its configuration may need, and no others', () => {
  expect(threadsOfCall({ ...callSnapshot, assistant: remote })).toEqual(['vad']);
  const local = { ...assistant, config: speech('offline', 'offline') } as typeof assistant;
  expect(threadsOfCall({ ...callSnapshot, assistant: local })).toEqual([
    'vad',
    'recogniser',
    'voice',
  ]);
});

test('tools keep the threads that check schemas, knowledge those that search', () => {
  const tools = [{ id: 't', config: { type: 'function', function: { name: 'f' } } }];
  const asked = { ...remote, assistantKnowledgeBaseIds: ['kb'] };
  const threads = (knowledgeBase: boolean) =>
    threadsOfCall({
      ...callSnapshot,
      tools: tools as never,
      assistant: {
        ...asked,
        assistantPredefinedTools: { ...asked.assistantPredefinedTools, knowledgeBase },
      },
    });
  expect(threads(true)).toEqual(['vad', 'schemas', 'search']);
  expect(threads(false)).toEqual(['vad', 'schemas']);
});
