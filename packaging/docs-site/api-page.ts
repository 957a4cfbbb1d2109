import { z } from 'zod';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import type { Operation } from '../../src/contract/operation.ts';

interface Field {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Field;
  readonly anyOf?: readonly Field[];
  readonly oneOf?: readonly Field[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}

// Which vendors there are depends on the service.
const names = { names: ['offline'], defaultName: 'offline' };

/** The API as a page, from the schemas that validate requests. */
export function apiPage(): string {
  const operations = operationsOf(createContract({ llm: names, stt: names, tts: names }));
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const lines = [
    '# API reference',
    'Made from the schemas that validate requests. A running service describes itself at `/docs`, where requests can be tried, and at `/openapi.json`. Every request carries `Authorization: Bearer <API key>` unless its role is “anyone”.',
  ];
  for (const tag of tags) {
    lines.push(`## ${tag}`);
    for (const operation of operations) if (operation.tag === tag) lines.push(describe(operation));
  }
  return lines.join('\n\n');
}

function describe(operation: Operation): string {
  const { method, path, summary, description, role, id, query, body, response } = operation;
  return [
    `### ${method} ${path}`,
    `${summary}.${description ? ` ${description}` : ''}`,
    `Role: ${role}. In the client: \`${id}\`. Answers ${response.status}: ${response.description}`,
    ...fields('Query', query),
    ...fields('Body', body),
  ].join('\n\n');
}

function fields(title: string, schema: z.ZodType | undefined): readonly string[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Field;
  const rows = Object.entries(properties).map(([name, field]) => {
    const about = [
      required.includes(name) ? 'Needed.' : '',
      field.description ?? '',
      field.default === undefined || typeof field.default === 'object'
        ? ''
        : `Default: \`${JSON.stringify(field.default)}\`.`,
    ];
    return `| \`${name}\` | ${typeOf(field)} | ${cell(about.filter(Boolean).join(' '))} |`;
  });
  return rows.length === 0 ? [] : [[`| ${title} | Is | |`, '|---|---|---|', ...rows].join('\n')];
}

function typeOf({ type, enum: values, items, anyOf, oneOf }: Field): string {
  if (values) return cell(values.map((value) => `\`${value}\``).join(', '));
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`;
  return [type ?? 'any'].flat().join(' or ');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
