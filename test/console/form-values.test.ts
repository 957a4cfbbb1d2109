import { describe, expect, test } from 'vitest';
import { callVariables } from '../../src/calls/variables.ts';
import { duplicateOf } from '../../src/console/assistants/duplicate.ts';
import { settleAssistant } from '../../src/console/assistants/settle.ts';
import { renamedStep } from '../../src/console/assistants/workflow/changes.ts';
import { FIRST_WORKFLOW } from '../../src/console/assistants/workflow/first-workflow.ts';
import { describeWorkflow, layOut } from '../../src/console/assistants/workflow/layout.ts';
import { BUILT_IN_VARIABLES } from '../../src/console/form/built-in-variables.ts';
import { checkValue } from '../../src/console/form/check-value.ts';
import { blankOf, componentSchema } from '../../src/console/form/json-schema.ts';
import { itemMoved } from '../../src/console/form/list-changes.ts';
import { mergeDiff, mergePatch, patchedPaths } from '../../src/console/form/merge-diff.ts';
import { retyped, rowsOf, withRows } from '../../src/console/form/schema-rows.ts';
import { templateParts, variablesIn } from '../../src/console/form/template-parts.ts';
import { isSame, type Values, valueAt, withValueAt } from '../../src/console/form/value-path.ts';
import { sampleArguments } from '../../src/console/tools/sample-arguments.ts';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import { applyMergePatch } from '../../src/contract/merge-patch.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { validate } from '../../src/contract/validation.ts';
import { renderTemplate } from '../../src/engine/settings/render-template.ts';
import { compileJsonSchema } from '../../src/lib/json-schema.ts';
import { testVendors } from '../support/api.ts';
import fc from '../support/properties.ts';

const config = assistantConfigSchema(testVendors);
const document = openApiDocument(operationsOf(createContract(testVendors)));
const schema = componentSchema(document.components.schemas ?? {}, 'AssistantInput');

const json = fc.letrec<{ value: unknown; object: Values }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.integer(),
    fc.string({ maxLength: 3 }),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')) as fc.Arbitrary<Values>,
})).object;

describe('a patch', () => {
  test('between two values turns one into the other, in the service and in the form', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const patch = mergeDiff(before, after);
        expect(mergePatch(before, patch)).toEqual(after);
        expect(applyMergePatch(before, patch)).toEqual(after);
        expect(Object.keys(patch).length === 0).toBe(isSame(before, after));
      }),
    );
  });

  test('names the paths it touches, an emptied list or object among them', () => {
    const patch = mergeDiff({ a: { b: 1, c: [1] }, d: {} }, { a: { b: 2, c: [] }, d: { e: {} } });
    expect(patchedPaths(patch)).toEqual(['a.b', 'a.c', 'd.e']);
  });
});

test('a path leads to one place in a value, and changes nothing else', () => {
  const value = { list: [{ name: 'a' }, { name: 'b' }], other: 1 };
  const next = withValueAt(value, 'list.1.name', 'c');
  expect(next).toEqual({ list: [{ name: 'a' }, { name: 'c' }], other: 1 });
  expect(next.list[0]).toBe(value.list[0]);
  expect(valueAt(next, 'list.1.name')).toBe('c');
  expect(valueAt(next, 'list.7.name')).toBeUndefined();
  expect(withValueAt(value, 'other', undefined)).not.toHaveProperty('other');
});

describe('validation in the browser', () => {
  const defaults = validate(config, { name: 'Ada' });
  const good = (defaults.ok ? defaults.value : {}) as Values;

  test('accepts what the service accepts', () => {
    expect(good).toHaveProperty('maxCallDuration');
    expect(checkValue(schema, good)).toEqual({});
    expect(checkValue(schema, { ...good, assistantWorkflow: FIRST_WORKFLOW })).toEqual({});
  });

  test.each<[string, unknown]>([
    ['name', ''],
    ['name', ' '],
    ['maxCallDuration', 0],
    ['maxCallDuration', 121],
    ['maxCallDuration', 1.5],
    ['assistantTemperature', 2.1],
    ['assistantLLMUrl', 'ftp://models'],
    ['holdMusicUrl', 'music'],
    ['callForwardData.phoneNumber', '0123'],
    ['callForwardData.extension', 'x'],
    ['hints', Array.from({ length: 501 }, () => 'word')],
    ['hints', ['']],
    ['welcomeMessage', 'x'.repeat(5001)],
    ['config.speech.ttsData', []],
    ['config.speech.ttsData.0.config.speed', 9],
    ['config.speech.stt.languages', 'English!'],
    ['backgroundSound', 'http://example.com/a.mp3'],
    ['assistantServer.headers', { 'no name': 'x' }],
    ['assistantOutcome', [{ type: 'string' }]],
  ])('%s = %j is wrong at the place where the service finds it wrong', (path, bad) => {
    const value = withValueAt(good, path, bad);
    const said = Object.entries(checkValue(schema, value));
    const answer = validate(config, value);
    if (answer.ok) throw new Error('the service takes it');
    const at = answer.faults.map((fault) => fault.path);
    expect(said).toHaveLength(1);
    expect(at).toContain(said[0]?.[0]);
  });

  test('says it in the words of the service', () => {
    const value = { ...good, maxCallDuration: 200, holdMusicUrl: 'music' };
    const answer = validate(config, value);
    const service = answer.ok ? [] : answer.faults.map(({ message }) => message.toLowerCase());
    const said = Object.values(checkValue(schema, value)).map((it) =>
      it.toLowerCase().replace(/\.$/, ''),
    );
    expect(said.sort()).toEqual(service.sort());
  });
});

test('the value of a switched-off field is left out, so that the service accepts the rest', () => {
  const written = {
    name: 'Ada',
    assistantProvider: 'offline',
    assistantLLMUrl: 'https://models.example',
    assistantType: 'single_prompt',
    assistantWorkflow: FIRST_WORKFLOW,
    assistantPredefinedTools: { endCall: false, knowledgeBase: false },
    endCallMessage: 'Bye.',
    endCallToolDescription: 'When done.',
    endCallPhrases: ['Bye'],
    assistantKnowledgeBaseIds: ['kb'],
  };
  expect(validate(config, written).ok).toBe(false);
  expect(validate(config, settleAssistant(written)).ok).toBe(true);
  const led = settleAssistant({ name: 'Ada', assistantType: 'workflow_based' });
  expect(validate(config, led).ok).toBe(true);
});

test('a copy has a free name and only the settings of the original', () => {
  const original = { _id: '1', teamId: 't', name: 'Desk', createdAt: '', updatedAt: '', x: 1 };
  const copy = (name: string, taken: string[]) =>
    duplicateOf({ ...original, name } as never, taken);
  expect(copy('Desk', ['Desk'])).toEqual({ name: 'Desk (copy)', x: 1 });
  expect(copy('Desk (copy)', ['Desk', 'Desk (copy)']).name).toBe('Desk (copy 2)');
  expect(copy('n'.repeat(200), []).name).toHaveLength(200);
});

test('the variables of a text are those that the service fills', () => {
  const text = 'Hi {{name}}, {{ customer.name }} {{no good}} {{}} {single} {{name}}{{a-b}}';
  expect(
    templateParts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
  const filled: string[] = [];
  renderTemplate(text, {}, (name) => filled.push(name));
  expect(variablesIn(text)).toEqual([...new Set(filled)]);
});

test('the variables that are offered are those that the service fills by itself', () => {
  const record = {
    metadata: {},
    snapshot: { variables: {}, assistant: { config: { speech: { stt: { languages: 'en' } } } } },
  };
  const filled = Object.keys(callVariables(record as never, 0));
  expect(BUILT_IN_VARIABLES.map(({ name }) => name).sort()).toEqual(filled.sort());
});

describe('a user’s schema', () => {
  const own = {
    type: 'object',
    properties: { day: { type: 'string', 'x-mine': 1 }, seats: { type: 'integer' } },
    required: ['seats'],
    additionalProperties: false,
    $comment: 'kept',
  };

  test('comes back from its rows as it was', () => {
    expect(withRows(own, rowsOf(own))).toEqual(own);
  });

  test('loses only the keywords of its old type when the type changes', () => {
    const text = { type: 'string', format: 'date', enum: ['a'], description: 'When', 'x-mine': 1 };
    expect(retyped(text, 'integer')).toEqual({ type: 'integer', description: 'When', 'x-mine': 1 });
    expect(retyped({ type: 'object', properties: { a: {} } }, 'array')).toEqual({
      type: 'array',
      items: { type: 'string' },
    });
  });

  test('has sample arguments that fit it', () => {
    const rich = {
      type: 'object',
      properties: {
        day: { type: 'string', format: 'date' },
        at: { type: 'string', format: 'date-time' },
        mail: { type: 'string', format: 'email' },
        seats: { type: 'integer', minimum: 2 },
        kind: { enum: ['inside', 'outside'] },
        guests: {
          type: 'array',
          items: { type: 'object', properties: { age: { type: 'number' } } },
        },
        vip: { type: ['boolean', 'null'] },
      },
      required: ['day', 'at', 'mail', 'seats', 'kind', 'guests', 'vip'],
      additionalProperties: false,
    };
    expect(compileJsonSchema(rich)(sampleArguments(rich))).toEqual([]);
  });
});

describe('a workflow', () => {
  const step = (id: string, end = false) => ({ ...FIRST_WORKFLOW.nodes[0], id, name: '', end });
  const way = (from: string, to: string) => ({
    from,
    to,
    condition: { type: 'model' as const, description: 'x' },
  });
  const loop = {
    start: 'a',
    nodes: [step('a'), step('b'), step('c', true), step('lost')],
    edges: [way('a', 'b'), way('b', 'a'), way('b', 'c'), way('a', 'nowhere')],
  } as typeof FIRST_WORKFLOW;

  test('is drawn from top to bottom, no step over another', () => {
    const { steps, edges, width, height } = layOut(loop);
    const y = (id: string) => steps.find((it) => it.id === id)?.y ?? Number.NaN;
    expect(y('a')).toBeLessThan(y('b'));
    expect(y('b')).toBeLessThan(y('c'));
    expect(steps.find(({ id }) => id === 'lost')?.stray).toBe(true);
    expect(new Set(steps.map((it) => `${it.x} ${it.y}`)).size).toBe(4);
    expect(steps.every((it) => it.x >= 0 && it.y >= 0 && it.x < width && it.y < height)).toBe(true);
    expect(edges.map(({ back }) => back)).toEqual([false, true, false]);
    expect(describeWorkflow(loop)).toContain('b leads to a and c. c ends the call.');
  });

  test('keeps its transitions when a step gets another id', () => {
    const renamed = renamedStep(loop, 0, 'hello');
    expect(renamed.start).toBe('hello');
    expect(renamed.edges.map(({ from, to }) => `${from}-${to}`)).toEqual([
      'hello-b',
      'b-hello',
      'b-c',
      'hello-nowhere',
    ]);
  });

  test('starts as one that the service accepts', () => {
    const value = { name: 'x', assistantType: 'workflow_based', assistantWorkflow: FIRST_WORKFLOW };
    expect(validate(config, value).ok).toBe(true);
  });
});

test('an item moves by one place, and not beyond the ends', () => {
  expect(itemMoved(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
  expect(itemMoved(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b']);
  expect(itemMoved(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
});

test('a new item holds its defaults and what is required', () => {
  const voice = schema.properties?.config?.properties?.speech?.properties?.ttsData?.items;
  expect(blankOf(voice ?? {})).toMatchObject({ enabled: true, config: { speed: 1 } });
  const edges = schema.properties?.assistantWorkflow?.properties?.edges?.items;
  expect(blankOf(edges ?? {})).toEqual({
    from: '',
    to: '',
    condition: { type: 'model', description: '' },
  });
});
