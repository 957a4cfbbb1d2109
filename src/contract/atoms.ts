import { z } from 'zod';

/** Text of limited length. */
export const text = (maxLength: number) => z.string().max(maxLength);

/** An opaque identifier of a resource. */
export const IdSchema = z.string().min(1).max(64).describe('Opaque identifier.');

export const DateTimeSchema = z.iso
  .datetime({ precision: 3 })
  .describe('ISO 8601, UTC, milliseconds.');

export const E164Schema = z
  .string()
  .regex(/^\+[1-9]\d{1,14}$/, 'must be a phone number in E.164 form, such as +14155550123')
  .describe('Phone number in E.164 form.');

const LANGUAGE = '[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*';

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** The tags whose language is in no register ("xx-YY"). */
const unknownLanguages = (tags: string): readonly string[] =>
  tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => !languageNames.of(tag.split('-')[0]?.toLowerCase() ?? ''));

const knownLanguages = {
  abort: true,
  error: ({ input }: { readonly input?: unknown }) =>
    `there is no language ${unknownLanguages(String(input))
      .map((tag) => JSON.stringify(tag))
      .join(', ')}`,
} as const;

/** A language tag. */
export const LanguageSchema = z
  .string()
  .max(35)
  .regex(new RegExp(`^${LANGUAGE}$`), {
    error: 'must be a language tag, such as en-US',
    abort: true,
  })
  .refine((tag) => unknownLanguages(tag).length === 0, knownLanguages);

/** One language tag or several separated by commas, likeliest first. */
export const LanguagesSchema = z
  .string()
  .max(200)
  .regex(new RegExp(`^${LANGUAGE}(?:\\s*,\\s*${LANGUAGE})*$`), {
    error: 'must be a language tag, such as en-US, or several separated by commas',
    abort: true,
  })
  .refine((tags) => unknownLanguages(tags).length === 0, knownLanguages);

/**
 * A key that signs requests to a user's server. One with the prefix of Standard Webhooks must be valid by that
 * standard.
 */
export const SigningSecretSchema = z
  .string()
  .max(1000)
  .regex(/^(?!whsec_)|^whsec_[A-Za-z0-9+/]+={0,2}$/, 'must be base64 after whsec_')
  .describe(
    'Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`).',
  );

/** An absolute http(s) URL or empty. */
export const OptionalUrlSchema = z
  .string()
  .max(2000)
  .regex(/^(?:https?:\/\/[^\s/?#]+[^\s]*)?$/, 'must be an absolute http(s) URL, or empty');

/** File types that cannot be played. A URL without an extension may work. */
const UNPLAYED = /^[^?#]*\.(?:aac|aiff?|amr|flac|m4a|m4b|mp4|webm|wma|mid|html?|txt)(?:[?#]|$)/i;

/** False if the extension in a sound's URL shows that it cannot be played. */
export const mayBePlayed = (url: string) => !UNPLAYED.test(url);
export const PLAYED_TYPES = 'must be the address of a WAV, MP3, Ogg Vorbis or Ogg Opus file';

const HeaderNameSchema = z
  .string()
  .max(200)
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'must be a header name');

/** Additional request headers for a user's server. */
export const HeadersSchema = z
  .record(
    HeaderNameSchema,
    z
      .string()
      .max(4000)
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be a header value'),
  )
  .refine((headers) => Object.keys(headers).length <= 50, 'must hold at most 50 headers');

/** A JSON Schema of a user, with any keywords. */
export const JsonSchemaObjectSchema = z.record(z.string(), z.unknown());

/** Marks an enum whose values depend on the service; generated clients treat it as any string. */
export const OPEN_ENUM = { 'x-open-enum': true };
