import { z } from 'zod';
import { LanguageSchema, LanguagesSchema, OPEN_ENUM, text } from './atoms.ts';
import type { VendorList } from './vendors.ts';

/** The registered name of a vendor. Default: that of the service. */
export function vendorName(list: VendorList) {
  return z
    .enum(list.names, {
      error: (issue) =>
        typeof issue.input === 'string'
          ? `unknown vendor "${issue.input.slice(0, 40)}"; known: ${list.names.join(', ')}`
          : undefined,
    })
    .meta(OPEN_ENUM)
    .default(list.defaultName);
}

const VoiceSettingsSchema = z
  .strictObject({
    modelId: text(200).default('').describe("The vendor's voice model; empty: its default."),
    stability: z.number().min(0).max(1).default(0.5),
    similarityBoost: z.number().min(0).max(1).default(0.75),
    speakerBoost: z.boolean().default(true),
    styleExaggeration: z.number().min(0).max(1).default(0),
    seed: z
      .int()
      .min(0)
      .max(4_294_967_295)
      .default(0)
      .describe('Same seed, same rendering, where the vendor can; 0: none.'),
    speed: z.number().min(0.25).max(4).default(1),
    applyTextNormalization: z
      .boolean()
      .default(true)
      .describe('Numbers, dates and abbreviations are spoken as a person would.'),
  })
  .describe('Voice settings. A vendor ignores those it has no notion of.');

interface Choice {
  readonly enabled?: boolean;
  readonly vendor: string;
}

/**
 * Rejects a language or voice that the chosen vendor is known to lack, and lists those it has. Disabled entries are not
 * checked.
 */
function refuseUnknown<T extends Choice>(
  context: z.core.ParsePayload<T>,
  field: keyof T & string,
  wanted: readonly string[],
  known: readonly string[] | undefined,
): void {
  const { enabled = true, vendor } = context.value;
  const unknown = wanted.filter((one) => !known?.includes(one));
  if (!enabled || !known || unknown.length === 0) return;
  const names = unknown.map((one) => JSON.stringify(one)).join(', ');
  context.issues.push({
    code: 'custom',
    path: [field],
    message: `${vendor} has no ${names}; it has ${known.join(', ')}`,
    input: context.value,
  });
}

const primary = (tag: string): string => tag.trim().toLowerCase().split('-')[0] ?? '';

function checkHeard(stt: VendorList) {
  return (context: z.core.ParsePayload<Choice & { readonly languages: string }>): void => {
    const { vendor, languages } = context.value;
    const wanted = languages.split(',').map(primary);
    refuseUnknown(context, 'languages', wanted, stt.languages?.[vendor]);
  };
}

function checkSpoken(tts: VendorList) {
  return (
    context: z.core.ParsePayload<Choice & { readonly language: string; readonly voice: string }>,
  ): void => {
    const { vendor, language, voice } = context.value;
    refuseUnknown(context, 'language', [primary(language)], tts.languages?.[vendor]);
    if (voice !== '') refuseUnknown(context, 'voice', [voice], tts.voices?.[vendor]);
  };
}

/** `config` of an assistant: its recogniser and its voices. */
export function speechConfig(stt: VendorList, tts: VendorList) {
  const voice = z
    .strictObject({
      enabled: z.boolean().default(true),
      vendor: vendorName(tts),
      language: LanguageSchema.default('en-US'),
      voice: text(200).default('').describe("The vendor's voice id; empty: its default voice."),
      config: VoiceSettingsSchema.prefault({}),
    })
    .check(checkSpoken(tts));
  const speech = z.strictObject({
    stt: z
      .strictObject({
        vendor: vendorName(stt),
        languages: LanguagesSchema.default('en-US').describe(
          'Language tag; several separated by commas, the likeliest first.',
        ),
      })
      .check(checkHeard(stt))
      .prefault({}),
    sttFallback: z
      .strictObject({
        enabled: z.boolean().default(false),
        vendor: vendorName(stt),
        languages: LanguagesSchema.default('en-US'),
      })
      .check(checkHeard(stt))
      .prefault({})
      .describe('Takes over if the first recogniser fails, or returns no text for audible speech.'),
    ttsData: z
      .array(voice)
      .min(1)
      .max(10)
      .refine((voices) => voices.some(({ enabled }) => enabled), 'must enable at least one voice')
      .prefault([{}])
      .describe('Voices in order of preference; disabled ones are skipped.'),
  });
  return z.strictObject({ speech: speech.prefault({}) });
}
