import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSignedByTelnyx, telnyxPublicKey } from '../../src/carriers/telnyx/webhooks.ts';
import { REPEATED } from '../../src/carriers/twilio/markup.ts';
import { isSignedByTwilio, signTwilio } from '../../src/carriers/twilio/signature.ts';
import type { CarrierRequest } from '../../src/ports/carrier.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';

function form(url: string, fields: readonly (readonly [string, string])[], signature: string) {
  return request(url, new URLSearchParams(fields.map(([n, v]) => [n, v])).toString(), signature);
}

function request(
  url: string,
  body: string,
  signature: string,
  type = 'application/x-www-form-urlencoded',
): CarrierRequest {
  return {
    method: body ? 'POST' : 'GET',
    url,
    headers: { 'x-twilio-signature': signature, ...(body ? { 'content-type': type } : {}) },
    body: Buffer.from(body),
  };
}

const VOICE_FIELDS = [
  ['AccountSid', 'AC00000000000000000000000000000001'],
  ['ApiVersion', '2010-04-01'],
  ['CallSid', 'CA00000000000000000000000000000001'],
  ['CallStatus', 'ringing'],
  ['Called', '+15005550199'],
  ['Caller', '+15005550100'],
  ['Direction', 'inbound'],
  ['From', '+15005550100'],
  ['FromCity', ''],
  ['To', '+15005550199'],
] as const;
const VOICE_URL = 'https://voice.example.test/twilio/voice?tenant=42';
const STATUS_BODY =
  'CallSid=CA00000000000000000000000000000002&AccountSid=AC00000000000000000000000000000001&From=%2B15005550100&To=%2B15005550199&CallStatus=completed&ApiVersion=2010-04-01&Direction=outbound-api&Timestamp=Wed%2C+01+Jan+2025+00%3A01%3A05+%2B0000&CallbackSource=call-progress-events&SequenceNumber=3&CallDuration=45&Duration=1&SipResponseCode=200';
const JSON_BODY = '{"CallSid":"CA00000000000000000000000000000001"}';
const JSON_SHA = '8d78d1316aeba09a8a659d16ab312a648e1935de7ab7ce229d3f62eff73ef96b';

test.each([
  ['a form', form(VOICE_URL, VOICE_FIELDS, 'ffdQ4etSuL+r4J05GPvT024WZZ8='), TOKEN],
  ['the URL with its port', form(VOICE_URL, VOICE_FIELDS, 'vUSICwvhHtXsIb4gJKb9U0QJLHo='), TOKEN],
  [
    'a socket',
    request('wss://voice.example.test/twilio/media', '', 'jO+qLHLp+lz9/rbFAwoUaDtDsdc='),
    TOKEN,
  ],
  [
    'a socket with a trailing slash',
    request('wss://voice.example.test/twilio/media', '', 'Vazs6/5LJcjSGck+tdYu+vCzHKs='),
    TOKEN,
  ],
  [
    'a GET',
    request(
      'https://voice.example.test/twilio/voice?CallSid=CA1&From=%2B15005550100',
      '',
      'FPuc24qXBnVAcAg/E5sUBQ3gC+E=',
    ),
    TOKEN,
  ],
  [
    'a JSON body by its digest',
    request(
      `https://voice.example.test/twilio/json?bodySHA256=${JSON_SHA}`,
      JSON_BODY,
      'bZ/EQQfu6zEY3zezavz3Sg2svOI=',
      'application/json',
    ),
    TOKEN,
  ],
  [
    'repeated names',
    form(
      'https://a.test/',
      [
        ['b', '2'],
        ['a', 'y'],
        ['a', 'x'],
        ['a', 'y'],
      ],
      'kF3Zvro2c40T2ObD19o7WtoD+A0=',
    ),
    '12345',
  ],
  [
    "the example of Twilio's own page",
    form(
      'https://mycompany.com/myapp.php?foo=1&bar=2',
      [
        ['CallSid', 'CA1234567890ABCDE'],
        ['Caller', '+12349013030'],
        ['Digits', '1234'],
        ['From', '+12349013030'],
        ['To', '+18005551212'],
      ],
      '0/KCTR6DLpKmkAf8muzZqo1nDgQ=',
    ),
    '12345',
  ],
  [
    'a status callback',
    request(
      'https://voice.example.test/twilio/status',
      STATUS_BODY,
      'kkgmjm1E9A4JFBvSx3ojeO4GLIs=',
    ),
    TOKEN,
  ],
] as const)('Twilio signed %s', (_what, signed, token) => {
  expect(isSignedByTwilio(signed, token)).toBe(true);
  expect(isSignedByTwilio(signed, `${token}0`)).toBe(false);
});

test('the fragment with which Twilio is asked to repeat a request may be signed or not, and no other', () => {
  const url = 'https://voice.example.test/twilio/voice?call=1';
  const signedWith = (fragment: string) =>
    isSignedByTwilio(request(url, '', signTwilio(TOKEN, url + fragment, [])), TOKEN);
  expect([signedWith(''), signedWith(REPEATED), signedWith('#rc=5')]).toEqual([true, true, false]);
});

test('a field more, a body changed under its digest, or no digest: not signed by Twilio', () => {
  const signature = 'ffdQ4etSuL+r4J05GPvT024WZZ8=';
  const more = form(VOICE_URL, [...VOICE_FIELDS, ['Digits', '1']], signature);
  expect(isSignedByTwilio(more, TOKEN)).toBe(false);
  const url = `https://voice.example.test/twilio/json?bodySHA256=${JSON_SHA}`;
  const json = (body: string, at: string) =>
    request(at, body, 'bZ/EQQfu6zEY3zezavz3Sg2svOI=', 'application/json');
  expect(createHash('sha256').update(JSON_BODY).digest('hex')).toBe(JSON_SHA);
  expect(isSignedByTwilio(json(`${JSON_BODY} `, url), TOKEN)).toBe(false);
  expect(isSignedByTwilio(json(JSON_BODY, url.split('?')[0] as string), TOKEN)).toBe(false);
  expect(isSignedByTwilio({ ...more, headers: {} }, TOKEN)).toBe(false);
});

const TELNYX_BODY =
  '{"data":{"event_type":"call.initiated","id":"0b6c0000-0000-4000-8000-000000000001","occurred_at":"2025-01-01T00:00:00.000000Z","payload":{"call_control_id":"v3:test","direction":"incoming","state":"parked"},"record_type":"event"}}';
const TELNYX_SIGNATURE =
  'i8h00TagUEQaJF2UC3Qb5zVm2kr9XpXPXJXg4w4Cw8uUaH4OmzxYdrRFpCw8CxnxDF3EtJlrK+lL4nEG0rsMCw==';
const SIGNED_AT = 1_735_689_600;

test('Telnyx signed it, within five minutes, and no other bytes', () => {
  const key = telnyxPublicKey('A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=');
  if (!key) throw new Error('the key is good');
  const signed = (body: string, headers = {}): CarrierRequest => ({
    method: 'POST',
    url: 'https://voice.example.test/telnyx',
    headers: {
      'telnyx-signature-ed25519': TELNYX_SIGNATURE,
      'telnyx-timestamp': String(SIGNED_AT),
      ...headers,
    },
    body: Buffer.from(body),
  });
  const at = (seconds: number) => (SIGNED_AT + seconds) * 1000;
  expect(Buffer.byteLength(TELNYX_BODY)).toBe(230);
  expect(isSignedByTelnyx(signed(TELNYX_BODY), key, at(0))).toBe(true);
  expect(isSignedByTelnyx(signed(TELNYX_BODY), key, at(300))).toBe(true);
  expect(isSignedByTelnyx(signed(TELNYX_BODY), key, at(301))).toBe(false);
  expect(isSignedByTelnyx(signed(TELNYX_BODY), key, at(-301))).toBe(false);
  expect(isSignedByTelnyx(signed(`${TELNYX_BODY} `), key, at(0))).toBe(false);
  const later = { 'telnyx-timestamp': String(SIGNED_AT + 1) };
  expect(isSignedByTelnyx(signed(TELNYX_BODY, later), key, at(0))).toBe(false);
  expect(
    isSignedByTelnyx(signed(TELNYX_BODY, { 'telnyx-signature-ed25519': 'no' }), key, at(0)),
  ).toBe(false);
  expect(telnyxPublicKey('too short')).toBeUndefined();
});
