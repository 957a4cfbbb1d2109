import { type ToolConfig, ToolConfigSchema } from '../../src/contract/tool.ts';

/** A function tool as the API would have stored it. */
export function toolConfig(
  url: string,
  changes: {
    readonly name?: string;
    readonly async?: boolean;
    readonly parameters?: object;
    readonly server?: object;
    readonly messages?: readonly object[];
  } = {},
): ToolConfig {
  return ToolConfigSchema.parse({
    function: {
      name: changes.name ?? 'book',
      description: 'Books a table.',
      parameters: changes.parameters ?? {
        type: 'object',
        properties: { day: { type: 'string', format: 'date' }, seats: { type: 'integer' } },
        required: ['day'],
      },
    },
    server: { url, ...changes.server },
    messages: changes.messages ?? [],
    async: changes.async ?? false,
  });
}
