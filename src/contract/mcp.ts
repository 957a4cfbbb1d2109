import { z } from 'zod';
import type { Contract } from './contract.ts';
import type { JsonSchema } from './openapi-schema.ts';
import type { Operation } from './operation.ts';

/** An operation as the Model Context Protocol lists tools. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** The operations that are tools: what a program that builds and checks assistants needs. None of them deletes. */
export function mcpOperations({
  assistants,
  tools,
  numbers,
  calls,
  whatIf,
  assistantTests,
}: Pick<
  Contract,
  'assistants' | 'tools' | 'numbers' | 'calls' | 'whatIf' | 'assistantTests'
>): readonly Operation[] {
  return [
    ...[assistants.list, assistants.get, assistants.create, assistants.patch],
    ...[assistants.listVersions, assistants.getVersion, assistants.compareVersions],
    ...[assistants.draft, assistants.publish],
    ...[tools.list, tools.get, tools.create, tools.patch, tools.test],
    numbers.list,
    ...[calls.connect, calls.list, calls.get, calls.transcript, calls.events, calls.control],
    ...[whatIf.call, whatIf.calls],
    ...[assistantTests.list, assistantTests.create, assistantTests.patch, assistantTests.check],
    ...[assistantTests.run, assistantTests.getRun, assistantTests.fromCall],
  ];
}

/** POST requests that change nothing. */
const READS_BY_POST: ReadonlySet<string> = new Set(['checkTests', 'replayCall', 'replayCalls']);

/** Arguments of tools that are no part of the operation. */
const OWN_ARGUMENTS = {
  skip: {
    type: 'integer',
    minimum: 0,
    description: 'Characters to leave out, after an answer that was cut.',
  },
  idempotencyKey: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description: 'The same key and arguments get the first answer again, within 24 hours.',
  },
} as const;

/** Whether an answer of the operation may be read in several parts. */
export const isReadInParts = ({ method, paged }: Operation): boolean => method === 'GET' && !paged;

/** Describes operations as tools. Takes a tenth of a second. */
export function describeMcpTools(operations: readonly Operation[]): readonly McpTool[] {
  const whole = operations.find(({ id }) => id === 'createAssistant')?.body;
  const assistant = whole ? toSchema(whole) : {};
  return operations.map((operation) => {
    const { id, summary, description, role, method } = operation;
    const isRead = method === 'GET' || READS_BY_POST.has(id);
    return {
      name: id,
      title: summary,
      description: [`${summary}.`, description, `Least role: ${role}.`].filter(Boolean).join(' '),
      inputSchema: inputOf(operation, assistant),
      annotations: { readOnlyHint: isRead, destructiveHint: false },
    };
  });
}

function inputOf(operation: Operation, assistant: JsonSchema): JsonSchema {
  const params = operation.params ? toSchema(operation.params) : {};
  const query = operation.query ? toSchema(operation.query) : {};
  const body = operation.body ? toSchema(operation.body) : undefined;
  return {
    type: 'object',
    properties: {
      ...propertiesOf(params),
      ...propertiesOf(query),
      ...(body
        ? { body: operation.id === 'createAssistant' ? body : abridged(body, assistant) }
        : {}),
      ...(isReadInParts(operation) ? { skip: OWN_ARGUMENTS.skip } : {}),
      ...(operation.idempotent ? { idempotencyKey: OWN_ARGUMENTS.idempotencyKey } : {}),
    },
    required: [...requiredOf(params), ...requiredOf(query), ...(body ? ['body'] : [])],
    additionalProperties: false,
  };
}

function toSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
  return saidOnce(json) as JsonSchema;
}

/** Without what is said of an alternative as it is of the whole: a field that may be null repeats its description. */
function saidOnce(value: unknown, above?: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => saidOnce(item, above));
  if (typeof value !== 'object' || value === null) return value;
  const { description, ...rest } = value as JsonSchema;
  const inner = Object.entries(rest).map(([key, part]) => [
    key,
    saidOnce(part, key === 'anyOf' ? description : undefined),
  ]);
  const isNew = description !== undefined && description !== above;
  return Object.fromEntries(isNew ? [['description', description], ...inner] : inner);
}

const propertiesOf = (schema: JsonSchema) => (schema.properties ?? {}) as JsonSchema;
const requiredOf = (schema: JsonSchema) => (schema.required ?? []) as readonly string[];

/**
 * Without the fields of assistants, which one tool lists: six tools take them, and who reads the list of tools pays for
 * each character.
 */
function abridged(value: unknown, assistant: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => abridged(item, assistant));
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as JsonSchema;
  const properties = propertiesOf(schema);
  if (!Object.hasOwn(properties, 'assistantSystemPrompt'))
    return Object.fromEntries(
      Object.entries(schema).map(([key, inner]) => [key, abridged(inner, assistant)]),
    );
  const known = propertiesOf(assistant);
  const own = Object.entries(properties).filter(([name]) => !Object.hasOwn(known, name));
  const also = 'Takes the fields that `createAssistant` lists for its body.';
  return {
    type: 'object',
    description: [schema.description, also].filter(Boolean).join(' '),
    properties: Object.fromEntries(own),
    required: requiredOf(schema),
  };
}
