import { type Loaded, useLoad } from '../use-load.ts';
import { componentSchema, type JsonSchema } from './json-schema.ts';

/** The OpenAPI document, served beside the console. */
const DOCUMENT_URL = '../openapi.json';
const TIMEOUT_MS = 30_000;

interface ApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

let document: Promise<ApiDocument> | undefined;

async function fetchDocument(): Promise<ApiDocument> {
  const response = await fetch(new URL(DOCUMENT_URL, location.href.replace(/[?#].*$/, '')), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the API's description was answered with ${response.status}`);
  return (await response.json()) as ApiDocument;
}

/** Loads a schema of the contract as this service has it, with its vendors, limits, defaults and help texts. */
export function useApiSchema(
  name: 'AssistantInput' | 'ToolInput' | 'CalendarInput' | 'WaitListInput',
): Loaded<JsonSchema> {
  return useLoad(async () => {
    document ??= fetchDocument();
    try {
      return componentSchema((await document).components.schemas, name);
    } catch (error) {
      document = undefined;
      throw error;
    }
  }, [name]);
}
