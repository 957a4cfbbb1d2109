import { writeFile } from 'node:fs/promises';
import { createContract, operationsOf } from '../contract/contract.ts';
import { openApiDocument } from '../contract/openapi.ts';
import { clientSource } from './client-source.ts';

// Any catalogue will do: vendor names are strings to a client.
const names = { names: ['offline'], defaultName: 'offline' };
const contract = createContract({ llm: names, stt: names, tts: names });

/** Where the generated part of the client lies. */
export const GENERATED = new URL('./api.generated.ts', import.meta.url);

/** The generated part of the client, from the schemas as they are now. */
export function generateClient(): string {
  return clientSource(openApiDocument(operationsOf(contract)));
}

if (import.meta.main) await writeFile(GENERATED, generateClient());
