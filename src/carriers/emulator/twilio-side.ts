import { randomBytes } from 'node:crypto';
import { basicAuthorization } from '../../lib/basic-authorization.ts';
import type { CarrierCredentials } from '../../ports/carrier.ts';
import type { Clock } from '../../ports/clock.ts';
import { REPEATED } from '../twilio/markup.ts';
import { signTwilio } from '../twilio/signature.ts';
import {
  answersSoon,
  type EmulatedCall,
  type EmulatedCarrier,
  type EmulatedText,
  type HeldCall,
  reportsRingingMs,
  type Unanswered,
} from './emulated-carrier.ts';
import {
  type EmulatorAnswer,
  type EmulatorRequest,
  startEmulatorServer,
} from './emulator-server.ts';
import { TwilioCall, type TwilioCallOptions, WEBHOOK_MS } from './twilio-call.ts';
import { type NumberWebhooks, TwilioNumbers } from './twilio-numbers.ts';

/** A telephone that a dialled number rings. */
export interface EmulatedPhone {
  /** Rings until answered, or until the call ends. */
  ring(call: EmulatedCall): Promise<'answer' | Unanswered>;
}

export interface EmulatorOptions {
  readonly clock: Clock;
  /** @defaultValue a free one */
  readonly port?: number;
  /** @defaultValue generated ones */
  readonly credentials?: CarrierCredentials['twilio'];
  /** If given, every number belongs to the account and has these webhooks. @defaultValue added numbers only */
  readonly anyNumber?: () => NumberWebhooks;
  /** Maps the service's public URL to one that is reachable from here. @defaultValue unchanged */
  readonly reach?: (url: string) => string;
  /** The telephone at a dialled number; without one `behaviour` decides. @defaultValue none */
  readonly phoneAt?: (call: {
    readonly from: string;
    readonly to: string;
  }) => EmulatedPhone | undefined;
  /** Called for each text that the service sends. */
  readonly onText?: (text: EmulatedText) => void;
}

/** An emulated Twilio whose calls may outlive its process. */
export interface TwilioEmulator<Name extends 'twilio' | 'emulator' = 'twilio' | 'emulator'>
  extends EmulatedCarrier<Name> {
  /** Goes on with a call of a carrier that ended: requests its next document, or rings the telephone again. */
  goOn(call: HeldCall, phone: EmulatedPhone): EmulatedCall;
  /** Breaks all calls off without a word, so that another carrier can go on with them. */
  abandon(): void;
}

/** Bounds each list of past calls, texts and tones. */
const MAX_KEPT = 1000;
const DEFAULT_RING_SECONDS = 60;

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
const E164 = /^\+[1-9]\d{6,14}$/;

/** An emulated Twilio: its REST interface, its webhooks and its media streams. */
export async function startTwilioEmulator<Name extends 'twilio' | 'emulator'>(
  name: Name,
  { clock, port, anyNumber, reach = (url) => url, phoneAt, onText, ...options }: EmulatorOptions,
): Promise<TwilioEmulator<Name>> {
  const credentials = options.credentials ?? { accountSid: `AC${hex(16)}`, authToken: hex(16) };
  const numbers = new TwilioNumbers(anyNumber);
  const calls = new Map<string, TwilioCall>();
  const texts: EmulatedText[] = [];
  const dialled: EmulatedCall[] = [];
  const faults: EmulatedCarrier['faults'] = { answers: [] };
  const root = `/2010-04-01/Accounts/${credentials.accountSid}`;
  const authorization = basicAuthorization(credentials.accountSid, credentials.authToken);

  const serve = (request: EmulatorRequest): EmulatorAnswer => {
    if (request.authorization !== authorization) return problem(401, 20_003, 'Authenticate');
    if (!request.path.startsWith(root)) return notFound;
    const path = request.path.slice(root.length);
    if (path === '/Calls.json' && request.method === 'POST') return dial(request.form);
    const sid = /^\/Calls\/(\w+)\.json$/.exec(path)?.[1];
    if (sid !== undefined && request.method === 'POST') return change(sid, request.form);
    if (path === '/Messages.json' && request.method === 'POST') return sendText(request.form);
    return numbers.serve(request.method, path, request) ?? notFound;
  };

  const dial = (form: URLSearchParams): EmulatorAnswer => {
    const [to, from, url] = ['To', 'From', 'Url'].map((field) => form.get(field) ?? '');
    if (!to) return problem(400, 21_201, "No 'To' number is specified");
    if (!E164.test(to)) return problem(400, 21_211, `Invalid 'To' Phone Number: ${to}`);
    if (!from || !numbers.has(from))
      return problem(400, 21_210, `'From' phone number not verified: ${from}`);
    if (!url || !URL.canParse(url)) return problem(400, 21_205, `Url is not a valid URL: ${url}`);
    const phone = phoneAt?.({ from, to });
    const behaviour = carrier.behaviour({ from, to });
    if (!phone && behaviour.outcome === 'refuse')
      return problem(400, 21_215, 'Account not authorized to call this country');
    const sid = `CA${hex(16)}`;
    const statusUrl = form.get('StatusCallback');
    const call = open({
      sid,
      from,
      to,
      direction: 'outbound-api',
      voiceUrl: url,
      ...(statusUrl ? { statusUrl } : {}),
    });
    call.report('initiated');
    if (phone) ringPhone(call, phone, Number(form.get('Timeout')) || DEFAULT_RING_SECONDS);
    else if (behaviour.outcome !== 'refuse') {
      const { outcome, ringMs } = behaviour;
      clock.setTimeout(() => !call.isOver && call.report('ringing'), reportsRingingMs(ringMs));
      clock.setTimeout(() => rung(call, outcome), ringMs);
    }
    return { status: 201, json: { sid, status: 'queued', to, from, direction: 'outbound-api' } };
  };

  const open = (
    options: Omit<TwilioCallOptions, 'clock' | 'accountSid' | 'authToken' | 'faults' | 'reach'>,
  ): TwilioCall => {
    const call = new TwilioCall({ clock, ...credentials, faults, reach, ...options });
    calls.set(call.carrierCallId, call);
    void call.ended.then(() => calls.delete(call.carrierCallId));
    return call;
  };

  const ringPhone = (call: TwilioCall, phone: EmulatedPhone, ringSeconds: number) => {
    call.report('ringing');
    const timer = clock.setTimeout(() => rung(call, 'no-answer'), ringSeconds * 1000);
    void phone.ring(call).then(
      (outcome) => rung(call, outcome),
      () => rung(call, 'failed'),
    );
    void call.ended.then(() => clock.clearTimeout(timer));
  };

  const rung = (call: TwilioCall, outcome: 'answer' | Unanswered) => {
    if (call.isOver || call.isAnswered) return;
    if (outcome !== 'answer') {
      call.end(outcome, { busy: '486', 'no-answer': '487', failed: '404' }[outcome]);
      return;
    }
    keep(dialled, call);
    call.pickedUp();
    void call.run();
    carrier.onAnswered?.(call);
  };

  const change = (sid: string, form: URLSearchParams): EmulatorAnswer => {
    const call = calls.get(sid);
    if (!call) return notFound;
    if (call.isOver) return problem(400, 21_220, 'Call is not in-progress. Cannot redirect.');
    if (form.get('Status') !== 'completed') return problem(400, 20_001, 'Unknown parameters');
    call.hangup();
    return { status: 200, json: { sid, status: 'completed' } };
  };

  const sendText = (form: URLSearchParams): EmulatorAnswer => {
    const [to, from, text] = ['To', 'From', 'Body'].map((field) => form.get(field) ?? '');
    if (!to || !E164.test(to)) return problem(400, 21_211, `Invalid 'To' Phone Number: ${to}`);
    if (!from || !numbers.has(from)) return problem(400, 21_606, `'From' cannot send: ${from}`);
    if (!text || text.length > 1600) return problem(400, 21_602, 'Message body is required');
    const id = `SM${hex(16)}`;
    keep(texts, { id, from, to, text });
    onText?.({ id, from, to, text });
    return { status: 201, json: { sid: id, status: 'queued', to, from } };
  };

  const http = await startEmulatorServer(faults, serve, port === undefined ? {} : { port });
  const carrier: TwilioEmulator<Name> = {
    name,
    baseUrl: http.url,
    credentials: credentials as EmulatedCarrier<Name>['credentials'],
    faults,
    texts,
    // Tones come as audio.
    tones: [],
    dialled,
    // Twilio's `refer` accepts SIP addresses only.
    referred: [],
    behaviour: answersSoon,
    onAnswered: undefined,
    addNumber: (number, webhooks) => numbers.add(number, webhooks),
    async call({ from, to, callerName }) {
      const { voiceUrl } = numbers.webhooksOf(to);
      const call = open({
        sid: `CA${hex(16)}`,
        from,
        to,
        direction: 'inbound',
        voiceUrl,
        ...(callerName ? { callerName } : {}),
      });
      void call.run();
      return call;
    },
    goOn({ carrierCallId: sid, ringSeconds, ...from }, phone) {
      const voiceUrl = from.voiceUrl + REPEATED;
      const held = ringSeconds === undefined ? 'in-progress' : 'ringing';
      const call = open({ sid, ...from, voiceUrl, held });
      if (ringSeconds === undefined) void call.run();
      else ringPhone(call, phone, ringSeconds);
      return call;
    },
    abandon() {
      for (const call of calls.values()) call.abandon();
    },
    async text({ from, to, text }) {
      const { smsUrl } = numbers.webhooksOf(to);
      const id = `SM${hex(16)}`;
      const body = new URLSearchParams({
        MessageSid: id,
        SmsSid: id,
        SmsStatus: 'received',
        AccountSid: credentials.accountSid,
        From: from,
        To: to,
        Body: text,
      });
      const response = await fetch(reach(smsUrl), {
        method: 'POST',
        signal: AbortSignal.timeout(WEBHOOK_MS),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': signTwilio(credentials.authToken, smsUrl, [...body]),
        },
        body: body.toString(),
      });
      if (!response.ok) throw new Error(`the text was answered with ${response.status}`);
    },
    async [Symbol.asyncDispose]() {
      for (const call of calls.values()) call.end('completed');
      await http.close();
    },
  };
  return carrier;
}

/** Appends within the bound, since the built-in carrier runs for months. */
function keep<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MAX_KEPT) list.shift();
}

const notFound = problem(404, 20_404, 'The requested resource was not found');

function problem(status: number, code: number, message: string): EmulatorAnswer {
  const moreInfo = `https://www.twilio.com/docs/errors/${code}`;
  return { status, json: { code, message, more_info: moreInfo, status } };
}
