import { describe, expect, test } from 'vitest';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { resolveCallSettings } from '../../src/engine/settings/resolve-settings.ts';
import { testVendors } from '../support/api.ts';

const NODE = { prompt: 'Ask.', message: '', variables: [], end: false };

function resolve(
  assistant: Readonly<Record<string, unknown>>,
  toolNames: Readonly<Record<string, string>> = {},
) {
  return resolveCallSettings({
    assistant: assistantConfigSchema(testVendors).parse({ name: 'Ada', ...assistant }),
    variables: { customer: 'Grace' },
    callType: 'web',
    direction: 'inbound',
    tools: [],
    toolNames: new Map(Object.entries(toolNames).map(([id, name]) => [id, [name]])),
    stt: { finalLatencyP99Ms: 0, turnAware: false },
    seed: 1,
  });
}

describe("an assistant's settings for a call", () => {
  test('are in milliseconds', () => {
    const { startSpeaking } = resolve({
      startSpeakingOptions: {
        waitSeconds: 0.3,
        onPunctuationSeconds: 0.2,
        onNoPunctuationSeconds: 1.2,
        onNumberSeconds: 0.7,
      },
    });
    expect(startSpeaking).toMatchObject({
      waitMs: 300,
      onPunctuationMs: 200,
      onNoPunctuationMs: 1200,
      onNumberMs: 700,
    });
  });

  test('have no workflow where the assistant has one prompt', () => {
    expect(resolve({ assistantType: 'single_prompt' }).workflow).toBe(undefined);
  });

  test('have a workflow with tools by their names, whose first messages are part of the welcome', () => {
    const { workflow, welcome } = resolve(
      {
        welcomeMessage: 'Hello {{customer}}.',
        assistantType: 'workflow_based',
        assistantToolIds: ['t1'],
        assistantWorkflow: {
          start: 'a',
          nodes: [
            {
              ...NODE,
              id: 'a',
              name: 'a',
              message: 'You are {{customer}}?',
              toolIds: ['t1', 't2'],
            },
            { ...NODE, id: 'b', name: 'b', toolIds: ['gone'], end: true },
          ],
          edges: [{ from: 'a', to: 'b', condition: { type: 'model', description: 'Yes.' } }],
        },
      },
      { t1: 'lookUp', t2: 'book' },
    );
    expect(welcome.message).toBe('Hello Grace. You are Grace?');
    expect(workflow).toMatchObject({
      start: 'a',
      nodes: [
        { id: 'a', tools: ['lookUp', 'book'] },
        { id: 'b', tools: [] },
      ],
      variables: { customer: 'Grace' },
      // What the assistant may use everywhere belongs to no node.
      nodeTools: ['book'],
    });
  });
});
