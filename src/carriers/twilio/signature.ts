import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parseJsonFrame } from '../../lib/json-frame.ts';
import type { CarrierRequest } from '../../ports/carrier.ts';
import { REPEATED } from './markup.ts';

type Field = readonly [name: string, value: string];

/** The decoded form fields of a request, in order. */
export function formFields({ headers, body }: CarrierRequest): readonly Field[] {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) return [];
  return [...new URLSearchParams(new TextDecoder().decode(body))];
}

/** The fields of a request whose body is a form or, as some of Twilio's products send it, a JSON object. */
export function bodyFields(request: CarrierRequest): readonly Field[] {
  if (!request.headers['content-type']?.startsWith('application/json')) return formFields(request);
  const body = parseJsonFrame(new TextDecoder().decode(request.body)) ?? {};
  return Object.entries(body).flatMap(([name, value]): Field[] =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
}

/** Twilio's signature of a request: HMAC-SHA1 over the URL and the sorted fields. */
export function signTwilio(authToken: string, url: string, fields: readonly Field[]): string {
  const values = Map.groupBy(fields, ([name]) => name);
  const signed = [...values]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entries]) =>
      [...new Set(entries.map(([, value]) => value))]
        .toSorted()
        .map((value) => name + value)
        .join(''),
    )
    .join('');
  return createHmac('sha1', authToken)
    .update(url + signed)
    .digest('base64');
}

/** True if the request was signed with the account's token. */
export function isSignedByTwilio(request: CarrierRequest, authToken: string): boolean {
  const signature = request.headers['x-twilio-signature'];
  if (!signature) return false;
  if (!hasSignedBody(request)) return false;
  const fields = formFields(request);
  return urlForms(request.url).some((url) => isSame(signTwilio(authToken, url, fields), signature));
}

// A JSON body is not signed itself: the signed URL holds its digest.
function hasSignedBody({ url, headers, body }: CarrierRequest): boolean {
  const digest = URL.parse(url)?.searchParams.get('bodySHA256');
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  if (digest === null || digest === undefined) return isForm === true || body.length === 0;
  return isSame(createHash('sha256').update(body).digest('hex'), digest);
}

/**
 * Twilio does not document whether the signed URL has its port, its fragment, or a trailing slash for a socket: any form
 * is valid.
 */
function urlForms(url: string): readonly string[] {
  const parsed = URL.parse(url);
  if (!parsed) return [];
  const secure = parsed.protocol === 'https:' || parsed.protocol === 'wss:';
  const [, start = '', host = '', rest = ''] = /^(\w+:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const bare = host.replace(/:\d+$/, '');
  const port = parsed.port || (secure ? '443' : '80');
  const forms = new Set([url, `${start}${bare}${rest}`, `${start}${bare}:${port}${rest}`]);
  const ending = parsed.protocol.startsWith('ws') ? '/' : REPEATED;
  for (const form of [...forms]) forms.add(form + ending);
  return [...forms];
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
