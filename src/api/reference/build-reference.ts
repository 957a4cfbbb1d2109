import { brotliCompressSync, constants } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

/** The reader of the API's description: its page, and the page's script, compressed with Brotli. */
export interface ReferencePages {
  readonly html: string;
  readonly script: Uint8Array;
}

const PREFIX = '/docs';
const OPTIONS = {
  routePrefix: PREFIX,
  configuration: {
    url: '/openapi.json',
    pageTitle: 'Parley API',
    // No requests to third parties.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    authentication: { preferredSecurityScheme: 'bearer' },
    agent: { disabled: true },
    mcp: { disabled: true },
  },
} as const;
/** Higher qualities take seconds for a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Makes the reader's files, in an eighth of a second. */
export async function buildReference(): Promise<ReferencePages> {
  const pages = Fastify();
  await pages.register(scalar, OPTIONS);
  const page = await pages.inject(`${PREFIX}/`);
  const script = await pages.inject(`${PREFIX}/js/scalar.js`);
  await pages.close();
  if (page.statusCode !== 200 || script.statusCode !== 200)
    throw new Error('the reader of the description has other addresses');
  return { html: page.body, script: brotliCompressSync(script.rawPayload, BROTLI) };
}
