import { type Loaded, useLoad } from '../use-load.ts';
import { componentSchema, type JsonSchema } from './json-schema.ts';
import type { Values } from './value-path.ts';

const TIMEOUT_MS = 30_000;

interface SchemaDocument {
  readonly components: { readonly schemas: Values };
}

/** Loads a schema of the contract as this service has it, with its vendors, limits, defaults and help texts. */
export function useApiSchema(
  name: 'AssistantInput' | 'ToolInput' | 'CalendarInput' | 'WaitListInput',
): Loaded<JsonSchema> {
  return useLoad(
    async (signal) => {
      // Served beside the console; the browser keeps it and asks whether it has changed.
      const address = new URL(`../schemas/${name}.json`, location.href.replace(/[?#].*$/, ''));
      const response = await fetch(address, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      if (!response.ok)
        throw new Error(`the API's description was answered with ${response.status}`);
      const { components } = (await response.json()) as SchemaDocument;
      return componentSchema(components.schemas, name);
    },
    [name],
  );
}
