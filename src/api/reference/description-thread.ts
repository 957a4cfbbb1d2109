import { brotliCompressSync } from 'node:zlib';
import { createContract, operationsOf } from '../../contract/contract.ts';
import { componentAlone, openApiDocument } from '../../contract/openapi.ts';
import type { VendorCatalogue } from '../../contract/vendors.ts';
import { answerTasks } from '../../lib/compute-thread.ts';
import { entityTag } from '../entity-tag.ts';

/** The API's description as it is served. */
export interface ServedDescription {
  readonly json: Uint8Array;
  readonly brotli: Uint8Array;
  readonly tag: string;
}

/** What is described: all of it, or one schema with those that it refers to. */
export interface DescriptionTask {
  readonly vendors: VendorCatalogue;
  readonly schema: string | undefined;
}

answerTasks(({ vendors, schema }: DescriptionTask): ServedDescription => {
  const document = openApiDocument(operationsOf(createContract(vendors)));
  const json = JSON.stringify(schema === undefined ? document : componentAlone(document, schema));
  return { json: Buffer.from(json), brotli: brotliCompressSync(json), tag: entityTag(json) };
});
