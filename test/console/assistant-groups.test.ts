import { describe, expect, test } from 'vitest';
import { ASSISTANT_TEXTS } from '../../src/console/assistants/field-texts.ts';
import { ASSISTANT_GROUPS, groupOf } from '../../src/console/assistants/groups.ts';
import { patternOf } from '../../src/console/form/field-text.ts';
import { componentSchema, type JsonSchema } from '../../src/console/form/json-schema.ts';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { testVendors } from '../support/api.ts';

const document = openApiDocument(operationsOf(createContract(testVendors)));
const schema = componentSchema(document.components.schemas ?? {}, 'AssistantInput');
/** Drawn as a whole by an editor of its own. */
const OWN_EDITOR = ['assistantAnalysis.structuredData.schema'];

/** Every field that can be set, a star for each place in a list. */
function fieldsOf(at: JsonSchema, path: string): string[] {
  if (OWN_EDITOR.includes(path)) return [path];
  if (at.oneOf)
    return [...new Set(at.oneOf.flatMap((one) => fieldsOf(one, path)))].filter(
      (field) => field !== `${path}.type`,
    );
  if (at.items?.properties) return [path, ...fieldsOf(at.items, `${path}.*`)];
  if (!at.properties) return [path];
  return Object.entries(at.properties).flatMap(([name, field]) =>
    fieldsOf(field, path === '' ? name : `${path}.${name}`),
  );
}

const fields = fieldsOf(schema, '');
const grouped = ASSISTANT_GROUPS.flatMap(({ sections }) => sections.flatMap(({ paths }) => paths));
const covers = (path: string, field: string) => `${field}.`.startsWith(`${path}.`);

describe('the groups of the editor', () => {
  test('hold every field of the contract exactly once', () => {
    expect(fields.length).toBeGreaterThan(100);
    const places = (field: string) => grouped.filter((path) => covers(path, field)).length;
    expect(fields.filter((field) => places(field) !== 1)).toEqual([]);
  });

  test('hold nothing that the contract does not have', () => {
    expect(grouped.filter((path) => !fields.some((field) => covers(path, field)))).toEqual([]);
    const known = [...fields, ...fields.flatMap(ancestors)];
    expect(Object.keys(ASSISTANT_TEXTS).filter((path) => !known.includes(path))).toEqual([]);
  });

  test('name every field', () => {
    expect(fields.filter((field) => !ASSISTANT_TEXTS[patternOf(field)]?.label)).toEqual([]);
  });

  test('name the values of a list that is closed, and no others', () => {
    const wrong = Object.entries(ASSISTANT_TEXTS).flatMap(([path, { options }]) => {
      const at = find(path);
      const kinds = at?.oneOf?.map(({ properties }) => String(properties?.type?.const));
      const values = at?.enum ?? at?.items?.enum ?? kinds;
      if (!options) return [];
      if (!values) return [`${path} has no values`];
      const unknown = Object.keys(options).filter((value) => !values.includes(value));
      const unnamed = at?.['x-open-enum'] ? [] : values.filter((value) => !(value in options));
      return [...unknown, ...unnamed].map((value) => `${path}: ${value}`);
    });
    expect(wrong).toEqual([]);
  });

  test.each([
    'assistantTemperature',
    'assistantMaxTokens',
    'startSpeakingOptions',
    'startSpeakingOptions.smartEndpointing',
    'stopSpeakingOptions',
    'stopSpeakingOptions.numberOfWords',
    'stopSpeakingOptions.voiceSeconds',
    'userInterruptionAckPlan.words',
    'assistantBackchannelingEnabled',
    'warmTransferEnabled',
    'warmTransferConversational',
    'dtmfInputEnabled',
    'hints',
    'assistantToolIds',
    'assistantAnalysis.structuredData.schema',
    'assistantAnalysis.successEvaluation.rubric',
    'assistantServer',
    'assistantServer.headers',
    'assistantOverrides.dynamicVariables',
    'redaction',
    'redaction.service.minScore',
    'config.speech.ttsData.*.config.stability',
    'config.speech.ttsData.*.config.applyTextNormalization',
  ])('explain the term of art of %s by an example', (path) => {
    expect(ASSISTANT_TEXTS[path]?.help).toMatch(/“.+”|such as|\d/);
  });

  test('find the group of a field by its path', () => {
    expect(groupOf('config.speech.ttsData.0.voice').id).toBe('voice');
    expect(groupOf('assistantAnalysis.summary.prompt').id).toBe('analysis');
    expect(groupOf('hints.3').id).toBe('transcription');
  });
});

function ancestors(field: string): string[] {
  const steps = field.split('.');
  return steps.map((_, index) => steps.slice(0, index).join('.'));
}

function find(path: string): JsonSchema | undefined {
  return path
    .split('.')
    .reduce<JsonSchema | undefined>(
      (at, step) =>
        step === '*'
          ? at?.items
          : (at?.oneOf ?? [at]).map((one) => one?.properties?.[step]).find(Boolean),
      schema,
    );
}
