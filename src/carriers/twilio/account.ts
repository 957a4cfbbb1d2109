import { basicAuthorization } from '../../lib/basic-authorization.ts';
import { asNumber, asRecord, asText } from '../../lib/json-frame.ts';
import type {
  CarrierAccount,
  CarrierCredentials,
  CarrierName,
  DialRequest,
} from '../../ports/carrier.ts';
import type { Clock } from '../../ports/clock.ts';
import { CarrierHttp, refusedWith } from '../http.ts';
import { rejectMarkup, streamMarkup } from './markup.ts';
import { createTwilioNumbers, sidOf } from './numbers.ts';
import { isSignedByTwilio } from './signature.ts';

export interface TwilioOptions {
  readonly name: CarrierName;
  /** @defaultValue `https://api.twilio.com` */
  readonly baseUrl?: string;
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
  readonly deadlineMs?: number;
}

const BASE_URL = 'https://api.twilio.com';
/** `21220`: the call is no longer in a state that can be changed. */
const GONE = 'twilio_21220';

/** An account at Twilio, or at the built-in carrier, which has the same API. */
export function openTwilioAccount(
  { accountSid, authToken }: CarrierCredentials['twilio'],
  options: TwilioOptions,
): CarrierAccount {
  const { name: carrier, baseUrl = BASE_URL, ...rest } = options;
  const http = new CarrierHttp({
    ...rest,
    carrier,
    baseUrl,
    authorization: basicAuthorization(accountSid, authToken),
    explain,
  });
  const root = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`;

  return {
    carrier,
    verifyWebhook: (request) => isSignedByTwilio(request, authToken),
    connectMedia: async (_call, routes) => streamMarkup(routes),
    refuse: async (_carrierCallId, reason) => rejectMarkup(reason),

    async dial(request) {
      const { signal } = request;
      const path = `${root}/Calls.json`;
      return sidOf(
        await http.request({ method: 'POST', path, form: callForm(request), signal }),
        carrier,
      );
    },

    async hangup(carrierCallId, signal) {
      try {
        await http.request({
          method: 'POST',
          path: `${root}/Calls/${encodeURIComponent(carrierCallId)}.json`,
          // Also ends a call that is only ringing.
          form: [['Status', 'completed']],
          signal,
          repeatable: true,
        });
      } catch (error) {
        const code = (error as { readonly code?: unknown }).code;
        if (refusedWith(error) !== 404 && code !== GONE) throw error;
      }
    },

    async sendText({ from, to, text, statusUrl }, signal) {
      const form: [string, string][] = [
        ['To', to],
        ['From', from],
        ['Body', text],
      ];
      if (statusUrl) form.push(['StatusCallback', statusUrl]);
      const path = `${root}/Messages.json`;
      return sidOf(await http.request({ method: 'POST', path, form, signal }), carrier);
    },

    numbers: createTwilioNumbers(http, root, carrier),
  };
}

function callForm(request: DialRequest): [string, string][] {
  const { to, from, answerUrl, statusUrl, ringSeconds, maxSeconds, detectMachine } = request;
  return [
    ['To', to],
    ['From', from],
    ['Url', answerUrl],
    ['Method', 'POST'],
    ['StatusCallback', statusUrl],
    ['StatusCallbackMethod', 'POST'],
    ...['initiated', 'ringing', 'answered', 'completed'].map((event): [string, string] => [
      'StatusCallbackEvent',
      event,
    ]),
    ['Timeout', String(ringSeconds)],
    ['TimeLimit', String(maxSeconds)],
    ...(detectMachine
      ? ([
          ['MachineDetection', 'DetectMessageEnd'],
          ['AsyncAmd', 'true'],
          ['AsyncAmdStatusCallback', statusUrl],
        ] as [string, string][])
      : []),
  ];
}

function explain(body: unknown): { code?: string; message?: string } {
  const error = asRecord(body);
  const code = asNumber(error?.code);
  const message = asText(error?.message);
  return {
    ...(code === undefined ? {} : { code: `twilio_${code}` }),
    ...(message ? { message } : {}),
  };
}
