import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { PhoneCallStatus } from '../../contract/call.ts';
import {
  asRecord,
  asRecords,
  asText,
  type JsonObject,
  parseJsonFrame,
} from '../../lib/json-frame.ts';
import type {
  CarrierAddressee,
  CarrierEvent,
  CarrierRequest,
  LostMedia,
} from '../../ports/carrier.ts';

/** A signature whose time differs by more counts as a replay. */
const MAX_AGE_SECONDS = 300;
/** Ed25519 SubjectPublicKeyInfo, before the 32 bytes of the key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The key that signs an account's webhooks; undefined if it is not 32 bytes in base64. */
export function telnyxPublicKey(base64: string): KeyObject | undefined {
  const raw = Buffer.from(base64, 'base64');
  if (raw.length !== 32) return undefined;
  const key = Buffer.concat([SPKI_PREFIX, raw]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

/** True if the request has a valid, recent signature of Telnyx. */
export function isSignedByTelnyx(request: CarrierRequest, key: KeyObject, nowMs: number): boolean {
  const signature = request.headers['telnyx-signature-ed25519'];
  const timestamp = request.headers['telnyx-timestamp'];
  if (!signature || !timestamp || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > MAX_AGE_SECONDS) return false;
  const message = Buffer.concat([Buffer.from(`${timestamp}|`), request.body]);
  const bytes = Buffer.from(signature, 'base64');
  return bytes.length === 64 && verify(null, message, key, bytes);
}

interface TelnyxEvent {
  readonly id: string;
  readonly type: string;
  readonly payload: JsonObject;
}

function parse(request: CarrierRequest): TelnyxEvent | undefined {
  const data = asRecord(parseJsonFrame(new TextDecoder().decode(request.body))?.data);
  const payload = asRecord(data?.payload);
  if (!data || !payload) return undefined;
  return { id: asText(data.id), type: asText(data.event_type), payload };
}

/** The numbers and the call that a webhook names, before its signature is verified. */
export function telnyxAddressee(request: CarrierRequest): CarrierAddressee | undefined {
  const event = parse(request);
  if (!event) return undefined;
  const { payload } = event;
  const numbers = [...recipients(payload), senderOf(payload)].filter((number) => number !== '');
  const callId = URL.parse(request.url)?.searchParams.get('call');
  if (numbers.length === 0 && !callId) return undefined;
  return { numbers, ...(callId ? { callId } : {}) };
}

/** Reads a webhook of Telnyx. */
export function readTelnyxWebhook(request: CarrierRequest): readonly CarrierEvent[] {
  const event = parse(request);
  if (!event) return [];
  return event.type.startsWith('message.') ? readMessage(event) : readCall(event);
}

function readCall({ id: eventId, type, payload }: TelnyxEvent): readonly CarrierEvent[] {
  const carrierCallId = asText(payload.call_control_id);
  if (carrierCallId === '') return [];
  const about = { eventId, carrierCallId };
  const isIncoming = payload.direction === 'incoming';
  switch (type) {
    case 'call.initiated':
      return isIncoming
        ? [
            {
              type: 'call-arrived',
              ...about,
              from: asText(payload.from),
              to: asText(payload.to),
              ...(payload.caller_id_name ? { callerName: asText(payload.caller_id_name) } : {}),
            },
          ]
        : [{ type: 'call-status', ...about, status: 'trying' }];
    case 'call.answered': {
      const status = { type: 'call-status', ...about, status: 'in-progress' } as const;
      // The stream of an inbound call was requested with the answer.
      return isIncoming
        ? [status]
        : [status, { type: 'media-wanted', ...about, eventId: `${eventId}:media` }];
    }
    case 'streaming.failed':
    case 'streaming.stopped':
      return [{ type: 'media-wanted', ...about, ...lostStream(payload) }];
    case 'call.hangup':
      return [hangupEvent(about, payload)];
    case 'call.machine.premium.detection.ended':
    case 'call.machine.detection.ended':
      return [{ type: 'machine-detected', ...about, result: machineResult(payload.result) }];
    case 'call.machine.premium.greeting.ended':
    case 'call.machine.greeting.ended':
      return [{ type: 'machine-detected', ...about, result: 'machine-greeting-ended' }];
    default:
      // Keys come over the media socket too.
      return [];
  }
}

function lostStream({ stream_params }: JsonObject): { readonly lost?: LostMedia } {
  const mediaUrl = asText(asRecord(stream_params)?.stream_url);
  return mediaUrl === '' ? {} : { lost: { mediaUrl } };
}

const UNANSWERED: Readonly<Record<string, PhoneCallStatus>> = {
  user_busy: 'busy',
  timeout: 'no-answer',
  no_answer: 'no-answer',
  originator_cancel: 'no-answer',
  call_rejected: 'failed',
  not_found: 'failed',
  unspecified: 'failed',
};

function hangupEvent(
  about: { readonly eventId: string; readonly carrierCallId: string },
  payload: JsonObject,
): CarrierEvent {
  const cause = asText(payload.hangup_cause);
  const sipCode = Number(payload.sip_hangup_cause);
  return {
    type: 'call-status',
    ...about,
    status: UNANSWERED[cause] ?? 'completed',
    ...(cause ? { cause } : {}),
    ...(sipCode > 0 ? { sipCode } : {}),
  };
}

function machineResult(result: unknown) {
  const text = asText(result);
  if (text.startsWith('human')) return 'human';
  if (text === 'machine') return 'machine';
  return text === 'fax_detected' ? 'fax' : 'unknown';
}

function readMessage({ id: eventId, type, payload }: TelnyxEvent): readonly CarrierEvent[] {
  const messageId = asText(payload.id);
  const text = asText(payload.text);
  if (type === 'message.received') {
    const [to = ''] = recipients(payload);
    return [{ type: 'text-received', eventId, messageId, from: senderOf(payload), to, text }];
  }
  const status = textStatus(asText(asRecords(payload.to)[0]?.status));
  return status ? [{ type: 'text-status', eventId, messageId, status }] : [];
}

function textStatus(status: string): 'sent' | 'delivered' | 'failed' | undefined {
  if (status === 'delivered') return 'delivered';
  if (status === 'sent' || status === 'delivery_unconfirmed') return 'sent';
  return status.endsWith('failed') ? 'failed' : undefined;
}

/** A call names its parties as strings, a message as objects. */
function recipients({ to }: JsonObject): readonly string[] {
  if (typeof to === 'string') return [to];
  return asRecords(to).map(({ phone_number }) => asText(phone_number));
}

function senderOf({ from }: JsonObject): string {
  return asText(from) || asText(asRecord(from)?.phone_number);
}
