import { z } from 'zod';
import { VersionNameSchema } from './assistant-version.ts';
import { E164Schema, IdSchema, text } from './atoms.ts';

/** The carriers, in the order of the documentation. */
export const CARRIER_NAMES = ['twilio', 'telnyx', 'asterisk', 'emulator'] as const;

export const CarrierNameSchema = z.enum(CARRIER_NAMES);

/** Accounts of one team whose events are followed, each on a socket that stays open: Asterisk servers. */
export const MAX_EVENT_ACCOUNTS = 16;

const given = (maxLength: number) => text(maxLength).min(1);

const AccountSchema = z.strictObject({ accountSid: given(200), authToken: given(200) });

/** Credentials for an account at each carrier. Sealed when stored, never returned. */
export const CREDENTIALS = {
  twilio: AccountSchema,
  telnyx: z.strictObject({
    apiKey: given(500),
    publicKey: given(200).describe('Base64 public key that verifies webhooks.'),
    connectionId: given(200).describe('The Call Control application that dials.'),
    messagingProfileId: given(200).optional(),
  }),
  asterisk: z.strictObject({
    ariUrl: given(2000).regex(/^https?:\/\/[^\s/?#]+[^\s]*$/, 'must be an absolute http(s) URL'),
    user: given(200),
    password: given(500),
    dialEndpoint: given(500)
      .regex(/\{number\}/, 'must hold {number}')
      .optional()
      .describe('Where to dial, such as `PJSIP/{number}@trunk`.'),
    websocketClient: given(200).optional(),
    application: given(200).optional(),
    mediaFormat: z
      .enum(['ulaw', 'alaw', 'slin', 'slin16'])
      .optional()
      .describe('Audio format between Asterisk and this service. Default: `ulaw`.'),
    referUri: given(500)
      .regex(/^sips?:[^\s;,()]*\{number\}[^\s,()]*$/, 'must be a SIP URI that holds {number}')
      .optional()
      .describe(
        'SIP URI for blind transfers by SIP REFER, such as `sip:{number}@carrier.example`. Absent: this service dials the other telephone and connects the two.',
      ),
  }),
  emulator: AccountSchema,
} as const satisfies Record<(typeof CARRIER_NAMES)[number], z.ZodType>;

const LabelSchema = text(200).default('');

/** The request that imports a number of the team at a carrier. */
export function numberImportSchema<C extends z.ZodType>(title: string, credentials: C) {
  return z
    .strictObject({
      number: E164Schema,
      label: LabelSchema,
      credentials: credentials
        .optional()
        .describe("Absent: the service's own account. Sealed when stored, never returned."),
    })
    .meta({ title });
}

/** The request that buys a number, with the service's account or that of the team's newest number at the carrier. */
export const NumberPurchaseSchema = z
  .strictObject({ provider: CarrierNameSchema, number: E164Schema, label: LabelSchema })
  .meta({ title: 'NumberPurchase' });

/** The request that changes a number; absent fields stay unchanged. */
export const NumberChangeSchema = z
  .strictObject({
    assistantId: z
      .union([z.literal(''), IdSchema])
      .describe('Attaches the assistant; empty: detaches.'),
    assistantVersion: z
      .union([z.literal(''), VersionNameSchema])
      .describe('The version that answers, by its number or a label; empty: the published one.'),
    inboundEnabled: z.boolean(),
    outboundEnabled: z.boolean(),
  })
  .partial()
  .meta({ title: 'NumberChange' });

export const NumberSchema = z
  .strictObject({
    _id: IdSchema,
    teamId: IdSchema,
    number: z.string().describe('E.164.'),
    provider: z.strictObject({ name: CarrierNameSchema }),
    assistantId: z.string().describe('The attached assistant; empty: none.'),
    assistantVersion: z
      .string()
      .optional()
      .describe('The version of it that answers; absent: the published one.'),
    inboundEnabled: z.boolean(),
    outboundEnabled: z.boolean(),
    label: z.string(),
  })
  .meta({ title: 'Number' });

export const NumberWebhooksSchema = z
  .strictObject({
    voiceUrl: z.string().describe('URL for webhooks of the carrier about calls.'),
    smsUrl: z.string().describe('URL for its webhooks about text messages.'),
    statusUrl: z.string().describe('URL for its status webhooks, if it supports one.'),
  })
  .meta({ title: 'NumberWebhooks' });

export const AvailableNumberSchema = z
  .strictObject({
    number: z.string().describe('E.164.'),
    country: z.string(),
    region: z.string().optional(),
    locality: z.string().optional(),
    capabilities: z.strictObject({ voice: z.boolean(), sms: z.boolean() }),
  })
  .meta({ title: 'AvailableNumber' });

export type NumberView = z.output<typeof NumberSchema>;
export type NumberChange = z.output<typeof NumberChangeSchema>;
