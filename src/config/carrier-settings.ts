import { z } from 'zod';
import type { CarrierCredentials } from '../ports/carrier.ts';

const secret = z.string().min(1);
const http = z
  .string()
  .refine(
    (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
    'must be a URL beginning with http:// or https://',
  );

/** Environment variables of the carrier accounts. */
export const CARRIER_SETTINGS = {
  TWILIO_ACCOUNT_SID: {
    schema: secret,
    help: 'twilio account for numbers that have none of their own',
  },
  TWILIO_AUTH_TOKEN: { schema: secret, help: 'its token', secret: true },
  TWILIO_BASE_URL: { schema: http, help: "another server that speaks twilio's protocol" },
  TELNYX_API_KEY: {
    schema: secret,
    help: 'telnyx account for numbers that have none of their own',
    secret: true,
  },
  TELNYX_PUBLIC_KEY: {
    schema: secret,
    help: 'its public key, with which webhooks are verified, base64',
  },
  TELNYX_CONNECTION_ID: { schema: secret, help: 'its Call Control application' },
  TELNYX_MESSAGING_PROFILE_ID: { schema: secret, help: 'its messaging profile, for text messages' },
  TELNYX_BASE_URL: { schema: http, help: "another server that speaks telnyx's protocol" },
  ASTERISK_ARI_URL: { schema: http, help: 'ARI of your Asterisk, such as http://pbx:8088/ari' },
  ASTERISK_ARI_USER: { schema: secret, help: 'its user' },
  ASTERISK_ARI_PASSWORD: { schema: secret, help: 'its password', secret: true },
} as const;

/** The operator's carrier accounts, and the base URLs that replace the carriers' own. */
export interface CarrierSettings {
  readonly twilio?: CarrierCredentials['twilio'];
  readonly telnyx?: CarrierCredentials['telnyx'];
  readonly asterisk?: CarrierCredentials['asterisk'];
  readonly baseUrls: { readonly twilio?: string; readonly telnyx?: string };
}

/** The variables that make up each account; an account needs all of its variables or none. */
const ACCOUNTS = {
  twilio: { accountSid: 'TWILIO_ACCOUNT_SID', authToken: 'TWILIO_AUTH_TOKEN' },
  telnyx: {
    apiKey: 'TELNYX_API_KEY',
    publicKey: 'TELNYX_PUBLIC_KEY',
    connectionId: 'TELNYX_CONNECTION_ID',
  },
  asterisk: {
    ariUrl: 'ASTERISK_ARI_URL',
    user: 'ASTERISK_ARI_USER',
    password: 'ASTERISK_ARI_PASSWORD',
  },
} as const;

/** Problems of incomplete accounts, one line for each missing variable. */
export function incompleteAccounts(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(ACCOUNTS).flatMap((account) => {
    const names: readonly string[] = Object.values(account);
    const missing = names.filter((name) => values[name] === undefined);
    if (missing.length === 0 || missing.length === names.length) return [];
    const given = names.find((name) => !missing.includes(name));
    return missing.map((name) => `${name}: is required together with ${given}`);
  });
}

/** Builds the accounts and base URLs from validated environment values. */
export function carrierSettings(values: Readonly<Record<string, unknown>>): CarrierSettings {
  const accounts = Object.entries(ACCOUNTS).flatMap(([carrier, names]) => {
    const entries = Object.entries(names).map(([field, name]) => [field, values[name]] as const);
    return entries.some(([, value]) => value === undefined)
      ? []
      : [[carrier, Object.fromEntries(entries)] as const];
  });
  const settings = Object.fromEntries(accounts);
  const messagingProfileId = values.TELNYX_MESSAGING_PROFILE_ID;
  if (settings.telnyx && messagingProfileId)
    settings.telnyx = { ...settings.telnyx, messagingProfileId };
  const baseUrls = {
    ...(values.TWILIO_BASE_URL ? { twilio: values.TWILIO_BASE_URL } : {}),
    ...(values.TELNYX_BASE_URL ? { telnyx: values.TELNYX_BASE_URL } : {}),
  };
  return { ...settings, baseUrls } as CarrierSettings;
}
