import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
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

/** Where the whole client lies as a module for browsers. */
export const BROWSER = new URL('./browser.generated.js', import.meta.url);

const BROWSER_HEADER = `// @ts-nocheck
// Generated: the client without its types, in one file. Not to be edited.
`;

/** The client as browsers load it: its files in one, stripped of their types. */
export function generateBrowserClient(): string {
  const written = ['./api-error.ts', './client.ts'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  );
  const parts = [generateClient(), ...written].map((source) =>
    stripTypeScriptTypes(source)
      .replaceAll(/^import .*;$/gm, '')
      .replaceAll(/\/\*\*(?:(?!\*\/)[\s\S])*\*\//g, '')
      .replaceAll(/^\s*(?:\/\/.*)?\n/gm, '')
      .replaceAll(/[ \t]+$/gm, ''),
  );
  return [BROWSER_HEADER, ...parts].join('');
}

if (import.meta.main) {
  await writeFile(GENERATED, generateClient());
  await writeFile(BROWSER, generateBrowserClient());
}
