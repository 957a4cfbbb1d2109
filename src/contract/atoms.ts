import { z } from 'zod';

/** Text up to a length. Written for people: a message that names the bound. */
export const text = (maxLength: number) => z.string().max(maxLength);

/** An opaque identifier of one of our resources. */
export const IdSchema = z.string().min(1).max(64).describe('Opaque identifier.');

export const DateTimeSchema = z.iso
  .datetime({ precision: 3 })
  .describe('ISO 8601, UTC, milliseconds.');

export const E164Schema = z
  .string()
  .regex(/^\+[1-9]\d{1,14}$/, 'must be a phone number in E.164 form, such as +14155550123')
  .describe('Phone number in E.164 form.');

const LANGUAGE = '[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*';

/** One language tag. */
export const LanguageSchema = z
  .string()
  .max(35)
  .regex(new RegExp(`^${LANGUAGE}$`), 'must be a language tag, such as en-US');

/** One tag, or several separated by commas, the likeliest first. */
export const LanguagesSchema = z
  .string()
  .max(200)
  .regex(
    new RegExp(`^${LANGUAGE}(?:\\s*,\\s*${LANGUAGE})*$`),
    'must be a language tag, such as en-US, or several separated by commas',
  );

/** A key that signs requests to a user's server. What begins as a Standard Webhooks key has to be one. */
export const SigningSecretSchema = z
  .string()
  .max(1000)
  .regex(/^(?!whsec_)|^whsec_[A-Za-z0-9+/]+={0,2}$/, 'must be base64 after whsec_')
  .describe(
    'Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as the standard’s libraries take it; any other text is the key itself, and a library needs to be told (`{format: "raw"}`).',
  );

/** An absolute http(s) URL, or empty for none. */
export const OptionalUrlSchema = z
  .string()
  .max(2000)
  .regex(/^(?:https?:\/\/[^\s/?#]+[^\s]*)?$/, 'must be an absolute http(s) URL, or empty');

/** File types that are known not to be played; an address without one is tried. */
const UNPLAYED = /^[^?#]*\.(?:aac|aiff?|amr|flac|m4a|m4b|mp4|webm|wma|mid|html?|txt)(?:[?#]|$)/i;

/** Whether the address of a sound may be one that can be played, as far as its name tells. */
export const mayBePlayed = (url: string) => !UNPLAYED.test(url);
export const PLAYED_TYPES = 'must be the address of a WAV, MP3, Ogg Vorbis or Ogg Opus file';

const HeaderNameSchema = z
  .string()
  .max(200)
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'must be a header name');

/** Extra request headers for a server of the user's. */
export const HeadersSchema = z
  .record(
    HeaderNameSchema,
    z
      .string()
      .max(4000)
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be a header value'),
  )
  .refine((headers) => Object.keys(headers).length <= 50, 'must hold at most 50 headers');

/** A JSON Schema as the user writes it; its keywords are the user's own. */
export const JsonSchemaObjectSchema = z.record(z.string(), z.unknown());

/** Marks a list of values that differs from one service to another: a client takes it as any string. */
export const OPEN_ENUM = { 'x-open-enum': true };
