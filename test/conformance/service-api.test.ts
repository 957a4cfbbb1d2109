import { describe, expect, test } from 'vitest';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import type { JsonSchema } from '../../src/contract/openapi-schema.ts';
import { testVendors } from '../support/api.ts';
import { resolveSchema } from '../support/schema-arbitrary.ts';
import { ENDPOINTS, FIELDS, LIMITS } from './rows.ts';

const operations = operationsOf(createContract(testVendors));
const document = JSON.parse(JSON.stringify(openApiDocument(operations)));
const components: Record<string, JsonSchema> = document.components.schemas;

/** The schema of a field; arrays by their items. */
function fieldSchema(component: string, path: string): JsonSchema | undefined {
  return path.split('.').reduce<JsonSchema | undefined>((schema, name) => {
    if (!schema) return undefined;
    const resolved = itemsOf(schema);
    const properties = resolved.properties as Record<string, JsonSchema> | undefined;
    return properties?.[name];
  }, components[component] as JsonSchema);
}

function itemsOf(schema: JsonSchema): JsonSchema {
  const resolved = resolveSchema(schema, components);
  return resolved.type === 'array'
    ? resolveSchema(resolved.items as JsonSchema, components)
    : resolved;
}

describe.each(Object.entries(FIELDS))('[Resources and their fields: %s]', (component, fields) => {
  test.each(Object.entries<string | readonly string[]>(fields))('%s: %j', (path, type) => {
    const found = fieldSchema(component, path);
    expect(found, `${component}.${path}`).toBeDefined();
    const schema = resolveSchema(found as JsonSchema, components);
    if (typeof type !== 'string') {
      const values = itemsOf(schema);
      expect(values.enum ?? [values.const]).toEqual(type);
    } else if (type === 'date-time') expect(schema).toMatchObject({ type: 'string', format: type });
    else expect(typeNames(schema)).toContain(type);
  });
});

/** An anyOf of texts is a text. */
function typeNames({ type, anyOf }: JsonSchema): unknown[] {
  return Array.isArray(anyOf) ? anyOf.flatMap((option) => typeNames(option)) : [type];
}

/** What operators, people and visitors of web pages do are additions, with schemes of their own. */
function schemesOf(path: string): readonly Readonly<Record<string, readonly []>>[] {
  if (path.startsWith('/admin/')) return [{ operator: [] }];
  if (path.startsWith('/auth/v1/sign-') || path.startsWith('/public/')) return [];
  return path.startsWith('/auth/v1/account') ? [{ session: [] }] : [{ bearer: [] }];
}

describe('[Endpoints]', () => {
  test.each(ENDPOINTS)('%s %s answers %i %s', (method, path, status, shape) => {
    const { responses, security } = document.paths[path]?.[method.toLowerCase()] ?? {};
    expect(security).toEqual(schemesOf(path));
    const content = responses?.[status]?.content ?? {};
    const schema: JsonSchema | undefined = content['application/json']?.schema;
    expect(schema ? shapeOf(schema) : Object.keys(content)[0]).toBe(shape);
  });

  test('are all there are', () => {
    const served = operations.map(({ method, path }) => `${method} ${path}`);
    expect(served.sort()).toEqual(ENDPOINTS.map(([method, path]) => `${method} ${path}`).sort());
  });
});

/** `Tool`, `[Tool]` or `{id}`: a schema in the words of the table. */
function shapeOf(schema: JsonSchema): string {
  const { $ref, type, items, properties } = schema;
  if (typeof $ref === 'string') return $ref.replace('#/components/schemas/', '');
  if (type === 'array') return `[${shapeOf(items as JsonSchema)}]`;
  // A whole one, or those of its fields that were asked for.
  if (schema.anyOf) return shapeOf((schema.anyOf as JsonSchema[])[0] as JsonSchema);
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, inner]) =>
    inner.type === 'string' ? name : `${name}: ${shapeOf(inner)}`,
  );
  return `{${fields.join(', ')}}`;
}

describe('[Limits]', () => {
  test.each(LIMITS)('%s: %s to %s', (field, least, most) => {
    const schema = fieldSchema('AssistantInput', field);
    expect(schema?.minimum).toBe(least);
    if (most !== undefined) expect(schema?.maximum).toBe(most);
  });

  test('a background sound of one’s own is reached over https alone', () => {
    const pattern = new RegExp(fieldSchema('AssistantInput', 'backgroundSound')?.pattern as string);
    expect(['enable', 'disable', 'https://a.example/b.mp3'].every((v) => pattern.test(v))).toBe(
      true,
    );
    expect(['http://a.example/b.mp3', 'file:///b', ''].some((v) => pattern.test(v))).toBe(false);
  });

  test('tool async: default false', () => {
    expect(fieldSchema('ToolInput', 'async')).toMatchObject({ type: 'boolean', default: false });
  });
});

describe('[Authentication] and [Versioning]', () => {
  test('the bearer scheme alone, declared by each operation and not by the whole', () => {
    expect(Object.values(document.components.securitySchemes)).toMatchObject([
      { type: 'http', scheme: 'bearer' },
      // The operator's, whose operations are additions.
      { type: 'http', scheme: 'bearer' },
      // People's, an addition too.
      { type: 'apiKey', in: 'cookie' },
    ]);
    expect(document.security).toEqual([]);
  });

  test('the description carries the version 1.1.0, and every path that of its area', () => {
    expect(document.info.version).toBe('1.1.0');
    const areas = operations.map(({ path }) =>
      /^\/(?:kb|assistants|calls|tests|auth|public|privacy|vendors|health|admin)\/v1\//.test(path),
    );
    expect(areas).not.toContain(false);
  });
});

describe('[Errors]', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s fails in the words of its area',
    (_, { path, method, failure = 'Something went wrong!' }) => {
      const { description, content } =
        document.paths[path][method.toLowerCase()].responses['500'] ?? {};
      expect(description).toContain(failure);
      const shape = path.startsWith('/kb/') ? 'DetailError' : 'InternalError';
      expect(shapeOf(content['application/json'].schema)).toBe(shape);
    },
  );
});
