import type { VendorVoice } from '../../contract/vendor-account.ts';
import { API_VERSIONS } from '../vendor-defaults.ts';
import { listOf, recordOf, textOf, urlOf, type VendorListProtocol } from './protocol.ts';

const PAGE = '100';
const MAX_TEXT = 200;

/** `feminine`, `woman` and `female` are one. */
function genderOf(text: string): Pick<VendorVoice, 'gender'> {
  const word = text.toLowerCase();
  if (/^(?:female|feminine|woman)$/.test(word)) return { gender: 'female' };
  if (/^(?:male|masculine|man)$/.test(word)) return { gender: 'male' };
  return /^(?:neutral|gender_neutral|non-binary)$/.test(word) ? { gender: 'neutral' } : {};
}

const described = (...texts: readonly string[]): Pick<VendorVoice, 'description'> => {
  const description = texts.filter(Boolean).join(', ').slice(0, MAX_TEXT);
  return description === '' ? {} : { description };
};

const unique = (texts: readonly string[]): string[] => [...new Set(texts.filter(Boolean))];

/** ElevenLabs, `GET /v2/voices`: https://elevenlabs.io/docs/api-reference/voices/search */
const elevenLabs: VendorListProtocol<VendorVoice> = {
  vendor: 'elevenlabs',
  request: ({ apiKey, baseUrl = 'https://api.elevenlabs.io' }, after) => ({
    url: urlOf(baseUrl, '/v2/voices', { page_size: PAGE, next_page_token: after }),
    headers: { 'xi-api-key': apiKey },
  }),
  parse(body) {
    const page = recordOf(body);
    const entries = listOf(page.voices).map((voice): VendorVoice => {
      const labels = recordOf(voice.labels);
      const verified = listOf(voice.verified_languages).map(
        ({ locale, language }) => textOf(locale) || textOf(language),
      );
      return {
        id: textOf(voice.voice_id),
        name: (textOf(voice.name) || textOf(voice.voice_id)).slice(0, MAX_TEXT),
        languages: unique([textOf(labels.language), ...verified]),
        ...genderOf(textOf(labels.gender)),
        ...described(
          textOf(labels.accent),
          textOf(labels.age),
          textOf(labels.description) || textOf(labels.descriptive),
        ),
      };
    });
    const after = page.has_more === true ? textOf(page.next_page_token) : '';
    return after === '' ? { entries } : { entries, after };
  },
};

/** Cartesia, `GET /voices`: https://docs.cartesia.ai/api-reference/voices/list */
const cartesia: VendorListProtocol<VendorVoice> = {
  vendor: 'cartesia',
  request: ({ apiKey, baseUrl = 'https://api.cartesia.ai' }, after) => ({
    url: urlOf(baseUrl, '/voices', { limit: PAGE, starting_after: after }),
    headers: {
      authorization: `Bearer ${apiKey}`,
      'cartesia-version': API_VERSIONS.cartesia.name,
    },
  }),
  parse(body) {
    const page = recordOf(body);
    const entries = listOf(page.data).map((voice): VendorVoice => {
      const locales = listOf(voice.locales).map(({ locale }) => textOf(locale));
      return {
        id: textOf(voice.id),
        name: (textOf(voice.name) || textOf(voice.id)).slice(0, MAX_TEXT),
        languages: unique(locales.length > 0 ? locales : [textOf(voice.language)]),
        ...genderOf(textOf(voice.gender)),
        ...described(textOf(voice.tagline) || textOf(voice.description)),
      };
    });
    const after = page.has_more === true ? (entries.at(-1)?.id ?? '') : '';
    return after === '' ? { entries } : { entries, after };
  },
};

/** Deepgram, `GET /v1/models`: https://developers.deepgram.com/reference/manage/models/list */
const deepgram: VendorListProtocol<VendorVoice> = {
  vendor: 'deepgram',
  request: ({ apiKey, baseUrl = 'https://api.deepgram.com' }) => ({
    url: urlOf(baseUrl, '/v1/models'),
    headers: { authorization: `Token ${apiKey}` },
  }),
  parse: (body) => ({
    entries: listOf(recordOf(body).tts).map((voice): VendorVoice => {
      const { accent, tags } = recordOf(voice.metadata);
      const words = Array.isArray(tags) ? tags.map(textOf) : [];
      const gender = words.map(genderOf).find((found) => found.gender) ?? {};
      const languages = Array.isArray(voice.languages) ? voice.languages.map(textOf) : [];
      return {
        id: textOf(voice.canonical_name),
        name: textOf(voice.name).replace(/^./, (first) => first.toUpperCase()),
        languages: unique(languages),
        ...gender,
        ...described(textOf(accent), ...words.filter((word) => !genderOf(word).gender)),
      };
    }),
  }),
};

/** The vendors that list their voices. */
export const VOICE_LISTS: ReadonlyMap<string, VendorListProtocol<VendorVoice>> = new Map(
  [elevenLabs, cartesia, deepgram].map((protocol) => [protocol.vendor, protocol]),
);

/** OpenAI has no list; these are in its guide to text-to-speech (checked 2026-11-22). */
const OPENAI_VOICES = [
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'fable',
  'marin',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
] as const;

export const openAiVoices: readonly VendorVoice[] = OPENAI_VOICES.map((id) => ({
  id,
  name: id.replace(/^./, (first) => first.toUpperCase()),
  languages: [],
}));
