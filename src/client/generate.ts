import { writeFile } from 'node:fs/promises';
import { createContract, operationsOf } from '../contract/contract.ts';
import { openApiDocument } from '../contract/openapi.ts';
import { clientSource } from './client-source.ts';

// Vendor names are plain strings in the client, so any catalogue will do.
const names = { names: ['offline'], defaultName: 'offline' };
const contract = createContract({ llm: names, stt: names, tts: names });

/** Path of the generated part of the client. */
export const GENERATED = new URL('./api.generated.ts', import.meta.url);

/** Generates the client's source from the current schemas. */
export function generateClient(): string {
  return clientSource(openApiDocument(operationsOf(contract)));
}

if (import.meta.main) await writeFile(GENERATED, generateClient());
