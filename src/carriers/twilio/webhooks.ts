import type { PhoneCallStatus } from '../../contract/call.ts';
import type { CarrierAddressee, CarrierEvent, CarrierRequest } from '../../ports/carrier.ts';
import { bodyFields } from './signature.ts';

type Fields = Readonly<Record<string, string>>;

const STATUS: Readonly<Record<string, PhoneCallStatus>> = {
  queued: 'trying',
  initiated: 'trying',
  ringing: 'ringing',
  'in-progress': 'in-progress',
  busy: 'busy',
  'no-answer': 'no-answer',
  canceled: 'no-answer',
  failed: 'failed',
  completed: 'completed',
};

const ANSWERED_BY = {
  human: 'human',
  machine_start: 'machine',
  machine_end_beep: 'machine-greeting-ended',
  machine_end_silence: 'machine-greeting-ended',
  machine_end_other: 'machine-greeting-ended',
  fax: 'fax',
} as const satisfies Record<string, Extract<CarrierEvent, { type: 'machine-detected' }>['result']>;

function fieldsOf(request: CarrierRequest): Fields {
  const query = URL.parse(request.url)?.searchParams ?? [];
  return Object.fromEntries([...query, ...bodyFields(request)]);
}

/** The numbers and the call that a webhook names, before its signature is verified. */
export function twilioAddressee(request: CarrierRequest): CarrierAddressee | undefined {
  const { From, To, call } = fieldsOf(request);
  const numbers = [To, From].filter((number) => number !== undefined);
  if (numbers.length === 0) return undefined;
  return { numbers, ...(call ? { callId: call } : {}) };
}

/** Reads a webhook of Twilio: an inbound call, a request for instructions, a status, a text. */
export function readTwilioWebhook(request: CarrierRequest): readonly CarrierEvent[] {
  const fields = fieldsOf(request);
  if (fields.MessageSid) return readText(fields.MessageSid, fields);
  if (!fields.CallSid || fields.StreamEvent) return [];
  return readCall(fields.CallSid, fields);
}

function readCall(carrierCallId: string, fields: Fields): readonly CarrierEvent[] {
  const { CallStatus = '', Direction = '', From = '', To = '' } = fields;
  const machine = machineEvent(carrierCallId, fields);
  const status = STATUS[CallStatus];
  if (fields.MachineDetectionDuration && machine && !fields.CallbackSource) return [machine];
  if (status === undefined) return [];
  const isTerminal = !['trying', 'ringing', 'in-progress'].includes(status);
  if (fields.CallbackSource || isTerminal) {
    const sipCode = Number(fields.SipResponseCode);
    return [
      {
        type: 'call-status',
        eventId: `${carrierCallId}:${fields.SequenceNumber ?? CallStatus}`,
        carrierCallId,
        status,
        cause: CallStatus,
        ...(sipCode > 0 ? { sipCode } : {}),
      },
    ];
  }
  if (Direction === 'inbound' && CallStatus === 'ringing') {
    return [
      {
        type: 'call-arrived',
        eventId: `${carrierCallId}:arrived`,
        carrierCallId,
        from: From,
        to: To,
        ...(fields.CallerName ? { callerName: fields.CallerName } : {}),
      },
    ];
  }
  const wanted = {
    type: 'media-wanted',
    eventId: `${carrierCallId}:wanted:${fields.attempt ?? fields.again ?? 0}`,
    carrierCallId,
  } as const;
  return machine ? [machine, wanted] : [wanted];
}

function machineEvent(carrierCallId: string, fields: Fields): CarrierEvent | undefined {
  const { AnsweredBy } = fields;
  if (AnsweredBy === undefined) return undefined;
  const result = ANSWERED_BY[AnsweredBy as keyof typeof ANSWERED_BY] ?? 'unknown';
  return {
    type: 'machine-detected',
    eventId: `${carrierCallId}:amd:${AnsweredBy}`,
    carrierCallId,
    result,
  };
}

function readText(messageId: string, fields: Fields): readonly CarrierEvent[] {
  const { From: from = '', To: to = '', Body: text = '', MessageStatus } = fields;
  const inbound = fields.SmsStatus === 'received' || fields.SmsStatus === 'receiving';
  if (MessageStatus === undefined || inbound)
    return [{ type: 'text-received', eventId: messageId, messageId, from, to, text }];
  const status = textStatus(MessageStatus);
  if (!status) return [];
  return [
    {
      type: 'text-status',
      eventId: `${messageId}:${MessageStatus}`,
      messageId,
      status,
      ...(fields.ErrorCode ? { cause: fields.ErrorCode } : {}),
    },
  ];
}

function textStatus(status: string): 'sent' | 'delivered' | 'failed' | undefined {
  if (status === 'sent') return 'sent';
  if (status === 'delivered' || status === 'read') return 'delivered';
  return status === 'undelivered' || status === 'failed' ? 'failed' : undefined;
}
