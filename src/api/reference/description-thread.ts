import { brotliCompressSync } from 'node:zlib';
import { createContract, operationsOf } from '../../contract/contract.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import type { VendorCatalogue } from '../../contract/vendors.ts';
import { answerTasks } from '../../lib/compute-thread.ts';
import { entityTag } from '../entity-tag.ts';

/** The API's description as it is served. */
export interface ServedDescription {
  readonly json: Uint8Array;
  readonly brotli: Uint8Array;
  readonly tag: string;
}

answerTasks((vendors: VendorCatalogue): ServedDescription => {
  const json = JSON.stringify(openApiDocument(operationsOf(createContract(vendors))));
  return { json: Buffer.from(json), brotli: brotliCompressSync(json), tag: entityTag(json) };
});
