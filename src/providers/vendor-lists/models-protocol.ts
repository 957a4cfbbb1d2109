import type { VendorAccount } from '../../lib/vendor-accounts.ts';
import { CHAT_QUIRKS } from '../openai-llm/quirks.ts';
import { listOf, recordOf, textOf, urlOf, type VendorListProtocol } from './protocol.ts';

/** Models that do not answer in text, by the words in their names: the list does not tell them apart. */
const OTHER_KINDS =
  /embed|whisper|tts|dall-e|image|moderation|transcribe|realtime|audio|davinci|babbage|sora|veo|imagen|lyria|aqa/i;

type ListingVendor = Extract<
  VendorAccount,
  'openai' | 'azure-openai' | 'google' | 'deepseek' | 'anthropic'
>;

/** `GET /models` as OpenAI has it: https://platform.openai.com/docs/api-reference/models/list */
function compatible(vendor: ListingVendor): VendorListProtocol<string> {
  const quirks: { readonly baseUrl?: string | undefined; readonly auth: string } =
    CHAT_QUIRKS[vendor];
  return {
    vendor,
    request: ({ apiKey, baseUrl = quirks.baseUrl ?? '' }) => ({
      url: urlOf(baseUrl, '/models'),
      headers: signedBy(quirks.auth, apiKey),
    }),
    parse: (body) => ({
      entries: listOf(recordOf(body).data)
        // Google's names begin with the name of the collection.
        .map(({ id }) => textOf(id).replace(/^models\//, ''))
        .filter((id) => id !== '' && !OTHER_KINDS.test(id)),
    }),
  };
}

const signedBy = (auth: string, apiKey: string): Readonly<Record<string, string>> =>
  auth === 'api-key' ? { 'api-key': apiKey } : { authorization: `Bearer ${apiKey}` };

/** Anthropic's own list has its own way to sign in: https://docs.anthropic.com/en/api/models-list */
const anthropic: VendorListProtocol<string> = {
  ...compatible('anthropic'),
  request: ({ apiKey, baseUrl = CHAT_QUIRKS.anthropic.baseUrl }, after) => ({
    url: urlOf(baseUrl, '/models', { limit: '100', after_id: after }),
    headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
  }),
  parse(body) {
    const page = recordOf(body);
    const entries = listOf(page.data).map(({ id }) => textOf(id));
    const after = page.has_more === true ? textOf(page.last_id) : '';
    return after === '' ? { entries } : { entries, after };
  },
};

/** The vendors that list their models. */
export const MODEL_LISTS: ReadonlyMap<string, VendorListProtocol<string>> = new Map(
  [
    compatible('openai'),
    compatible('azure-openai'),
    compatible('google'),
    compatible('deepseek'),
    anthropic,
  ].map((protocol) => [protocol.vendor, protocol]),
);
