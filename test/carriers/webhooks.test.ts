import { describe, expect, test } from 'vitest';
import { readTelnyxWebhook, telnyxAddressee } from '../../src/carriers/telnyx/webhooks.ts';
import { readTwilioWebhook, twilioAddressee } from '../../src/carriers/twilio/webhooks.ts';
import type { CarrierRequest } from '../../src/ports/carrier.ts';

const CALL = 'CA00000000000000000000000000000001';
const TEXT = 'SM00000000000000000000000000000001';
const FROM = '+15005550100';
const TO = '+15005550199';
const URL_OF_HOOK = 'https://voice.example.test/hook';

function request(
  body: string,
  { url = URL_OF_HOOK, type = 'application/json' } = {},
): CarrierRequest {
  const headers = { 'content-type': type };
  return { method: 'POST', url, headers, body: Buffer.from(body) };
}

describe('Twilio', () => {
  const form = (fields: Readonly<Record<string, string>>, url = URL_OF_HOOK) => {
    const type = 'application/x-www-form-urlencoded';
    return request(new URLSearchParams(fields).toString(), { url, type });
  };
  const inCall = { CallSid: CALL, From: FROM, To: TO };
  const ofCall = (fields: Readonly<Record<string, string>>) =>
    readTwilioWebhook(form({ ...inCall, ...fields }));

  // https://www.twilio.com/docs/voice/api/call-resource#call-status-values
  test.each([
    ['queued', 'trying'],
    ['initiated', 'trying'],
    ['ringing', 'ringing'],
    ['in-progress', 'in-progress'],
    ['busy', 'busy'],
    ['no-answer', 'no-answer'],
    ['canceled', 'no-answer'],
    ['failed', 'failed'],
    ['completed', 'completed'],
  ])('the status %s is %s', (CallStatus, status) => {
    const fields = { CallStatus, CallbackSource: 'call-progress-events', SequenceNumber: '2' };
    expect(ofCall({ ...fields, SipResponseCode: '486' })).toEqual([
      {
        type: 'call-status',
        ...{ eventId: `${CALL}:2`, carrierCallId: CALL, status, cause: CallStatus, sipCode: 486 },
      },
    ]);
  });

  test('a status without a SIP code has none', () => {
    const [event] = ofCall({ CallStatus: 'completed', CallbackSource: 'call-progress-events' });
    expect(event).not.toHaveProperty('sipCode');
  });

  test('a call that comes in has the name of its caller, if it is known', () => {
    const arrives = { CallStatus: 'ringing', Direction: 'inbound' };
    const arrived = {
      type: 'call-arrived',
      ...{ eventId: `${CALL}:arrived`, carrierCallId: CALL, from: FROM, to: TO },
    };
    expect(ofCall(arrives)).toEqual([arrived]);
    expect(ofCall({ ...arrives, CallerName: 'ADA L' })).toEqual([
      { ...arrived, callerName: 'ADA L' },
    ]);
  });

  // https://www.twilio.com/docs/voice/answering-machine-detection
  test.each([
    ['human', 'human'],
    ['machine_start', 'machine'],
    ['machine_end_beep', 'machine-greeting-ended'],
    ['machine_end_silence', 'machine-greeting-ended'],
    ['machine_end_other', 'machine-greeting-ended'],
    ['fax', 'fax'],
    ['unknown', 'unknown'],
    ['something_new', 'unknown'],
  ])(
    'who answered as %s is %s, told beside the request for instructions or alone',
    (AnsweredBy, result) => {
      const detected = {
        type: 'machine-detected',
        ...{ eventId: `${CALL}:amd:${AnsweredBy}`, carrierCallId: CALL, result },
      };
      const fields = { CallStatus: 'in-progress', AnsweredBy };
      expect(ofCall(fields)).toEqual([
        detected,
        { type: 'media-wanted', eventId: `${CALL}:wanted:0`, carrierCallId: CALL },
      ]);
      expect(ofCall({ ...fields, MachineDetectionDuration: '3200' })).toEqual([detected]);
    },
  );

  test('each new request for instructions is another event', () => {
    const asked = (query: string) => {
      const url = `${URL_OF_HOOK}?${query}`;
      return readTwilioWebhook(form({ ...inCall, CallStatus: 'in-progress' }, url))[0]?.eventId;
    };
    expect([asked(''), asked('again=1'), asked('attempt=2')]).toEqual([
      ...[`${CALL}:wanted:0`, `${CALL}:wanted:1`, `${CALL}:wanted:2`],
    ]);
  });

  test.each([
    ['a status of a stream', { CallSid: CALL, StreamEvent: 'stream-stopped' }],
    ['a status that is not known', { CallSid: CALL, CallStatus: 'dreaming' }],
    ['a request about nothing', { AccountSid: 'AC1' }],
    ['a status of a text on its way', { MessageSid: TEXT, MessageStatus: 'queued' }],
  ])('%s is no event', (_what, fields: Readonly<Record<string, string>>) => {
    expect(readTwilioWebhook(form(fields))).toEqual([]);
  });

  test.each<Readonly<Record<string, string>>>([
    {},
    { SmsStatus: 'received' },
    { SmsStatus: 'received', MessageStatus: 'received' },
  ])('a text that comes in is read (%o)', (fields) => {
    const text = { MessageSid: TEXT, From: FROM, To: TO, Body: 'Are you open?' };
    expect(readTwilioWebhook(form({ ...text, ...fields }))).toEqual([
      {
        type: 'text-received',
        ...{ eventId: TEXT, messageId: TEXT, from: FROM, to: TO, text: 'Are you open?' },
      },
    ]);
  });

  test.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'delivered'],
    ['undelivered', 'failed'],
    ['failed', 'failed'],
  ])('a text that is %s is %s', (MessageStatus, status) => {
    const event = {
      type: 'text-status',
      eventId: `${TEXT}:${MessageStatus}`,
      messageId: TEXT,
      status,
    };
    const fields = { MessageSid: TEXT, MessageStatus };
    expect(readTwilioWebhook(form(fields))).toEqual([event]);
    expect(readTwilioWebhook(form({ ...fields, ErrorCode: '30003' }))).toEqual([
      { ...event, cause: '30003' },
    ]);
  });

  test('the account is found by either number and by the id of the call', () => {
    expect(twilioAddressee(form(inCall))).toEqual({ numbers: [TO, FROM] });
    expect(twilioAddressee(form({ To: TO }, `${URL_OF_HOOK}?call=PC-1`))).toEqual({
      numbers: [TO],
      callId: 'PC-1',
    });
    expect(twilioAddressee(form({ CallSid: CALL }))).toBeUndefined();
  });
});

describe('Telnyx', () => {
  const event = (event_type: string, payload: object, url = URL_OF_HOOK) =>
    request(JSON.stringify({ data: { id: 'e1', event_type, payload } }), { url });
  const ofCall = (type: string, payload: object = {}) =>
    readTelnyxWebhook(event(type, { call_control_id: 'v3:a', ...payload }));
  const about = { eventId: 'e1', carrierCallId: 'v3:a' };

  test('a call that comes in has the name of its caller, if it is known; one that goes out is tried', () => {
    const parties = { direction: 'incoming', from: FROM, to: TO };
    const arrived = { type: 'call-arrived', ...about, from: FROM, to: TO };
    expect(ofCall('call.initiated', parties)).toEqual([arrived]);
    expect(ofCall('call.initiated', { ...parties, caller_id_name: 'ADA L' })).toEqual([
      { ...arrived, callerName: 'ADA L' },
    ]);
    expect(ofCall('call.initiated', { direction: 'outgoing' })).toEqual([
      { type: 'call-status', ...about, status: 'trying' },
    ]);
  });

  test('an answer to a call that goes out asks for its sound; one that comes in was answered with it', () => {
    const answered = { type: 'call-status', ...about, status: 'in-progress' };
    expect(ofCall('call.answered', { direction: 'incoming' })).toEqual([answered]);
    expect(ofCall('call.answered', { direction: 'outgoing' })).toEqual([
      answered,
      { type: 'media-wanted', ...about, eventId: 'e1:media' },
    ]);
  });

  test.each(['streaming.failed', 'streaming.stopped'])('%s names the socket, if it can', (type) => {
    const wanted = { type: 'media-wanted', ...about };
    expect(ofCall(type)).toEqual([wanted]);
    expect(ofCall(type, { stream_params: { stream_url: 'wss://a/b' } })).toEqual([
      { ...wanted, lost: { mediaUrl: 'wss://a/b' } },
    ]);
  });

  // https://developers.telnyx.com/api/call-control/answering-machine-detection
  test.each([
    ['call.machine.detection.ended', 'human', 'human'],
    ['call.machine.detection.ended', 'machine', 'machine'],
    ['call.machine.detection.ended', 'not_sure', 'unknown'],
    ['call.machine.premium.detection.ended', 'human_residence', 'human'],
    ['call.machine.premium.detection.ended', 'human_business', 'human'],
    ['call.machine.premium.detection.ended', 'silence', 'unknown'],
    ['call.machine.premium.detection.ended', 'fax_detected', 'fax'],
    ['call.machine.greeting.ended', 'ended', 'machine-greeting-ended'],
    ['call.machine.premium.greeting.ended', 'beep_detected', 'machine-greeting-ended'],
  ])('%s with %s is %s', (type, given, result) => {
    expect(ofCall(type, { result: given })).toEqual([
      { type: 'machine-detected', ...about, result },
    ]);
  });

  test.each([
    ['normal_clearing', 'completed'],
    ['time_limit', 'completed'],
    ['user_busy', 'busy'],
    ['timeout', 'no-answer'],
    ['no_answer', 'no-answer'],
    ['originator_cancel', 'no-answer'],
    ['call_rejected', 'failed'],
    ['not_found', 'failed'],
    ['unspecified', 'failed'],
  ])('a hangup by %s is %s', (cause, status) => {
    const ended = { type: 'call-status', ...about, status, cause };
    expect(ofCall('call.hangup', { hangup_cause: cause })).toEqual([ended]);
    expect(ofCall('call.hangup', { hangup_cause: cause, sip_hangup_cause: '486' })).toEqual([
      { ...ended, sipCode: 486 },
    ]);
  });

  test('a hangup without a cause has none', () => {
    expect(ofCall('call.hangup')).toEqual([{ type: 'call-status', ...about, status: 'completed' }]);
  });

  test('a text that comes in is read', () => {
    const payload = {
      id: 'm1',
      from: { phone_number: FROM },
      to: [{ phone_number: TO }],
      text: 'Hi',
    };
    expect(readTelnyxWebhook(event('message.received', payload))).toEqual([
      { type: 'text-received', eventId: 'e1', messageId: 'm1', from: FROM, to: TO, text: 'Hi' },
    ]);
  });

  test.each([
    ['sent', 'sent'],
    ['delivery_unconfirmed', 'sent'],
    ['delivered', 'delivered'],
    ['sending_failed', 'failed'],
    ['delivery_failed', 'failed'],
  ])('a text that is %s is %s', (given, status) => {
    const payload = { id: 'm1', to: [{ phone_number: TO, status: given }] };
    expect(readTelnyxWebhook(event('message.finalized', payload))).toEqual([
      { type: 'text-status', eventId: 'e1', messageId: 'm1', status },
    ]);
  });

  test.each([
    [
      'a key, which comes by the socket too',
      event('call.dtmf.received', { call_control_id: 'v3:a' }),
    ],
    ['an event of no call', event('call.hangup', {})],
    ['a text on its way', event('message.sent', { id: 'm1', to: [{ status: 'queued' }] })],
    ['an event without its content', request('{"data":{"id":"e1"}}')],
    ['what is no JSON', request('<xml/>')],
  ])('%s is no event', (_what, given) => {
    expect(readTelnyxWebhook(given)).toEqual([]);
  });

  test('the account is found by the numbers, however they are written, and by the id of the call', () => {
    expect(telnyxAddressee(event('call.initiated', { from: FROM, to: TO }))).toEqual({
      numbers: [TO, FROM],
    });
    const text = { from: { phone_number: FROM }, to: [{ phone_number: TO }] };
    expect(telnyxAddressee(event('message.received', text))).toEqual({ numbers: [TO, FROM] });
    expect(telnyxAddressee(event('call.hangup', {}, `${URL_OF_HOOK}?call=PC-1`))).toEqual({
      numbers: [],
      callId: 'PC-1',
    });
    expect(telnyxAddressee(event('call.hangup', {}))).toBeUndefined();
    expect(telnyxAddressee(request('[]'))).toBeUndefined();
  });
});
