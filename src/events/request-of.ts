import { shownAssistant } from '../contract/shown-assistant.ts';
import type { CallRecord } from '../store/calls.ts';
import type { Delivery } from '../store/due-deliveries.ts';

/** Everything that one attempt needs; the secret and the headers belong to the user and stay out of every log. */
export interface WebhookRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly timeoutMs: number;
}

/** Builds the HTTP request of a delivery: every attempt has the same body. */
export function webhookRequest(delivery: Delivery, call: CallRecord): WebhookRequest {
  const { assistant } = call.snapshot;
  const { url, headers, secret, timeoutSeconds } = assistant.assistantServer;
  const { type, timestamp, call: shownCall, messages, ...details } = delivery.message;
  const message = {
    type,
    timestamp,
    call: shownCall,
    assistant: shownAssistant(call.assistantId, assistant),
    messages,
    ...(call.callType === 'phone' ? { phone: phoneOf(call) } : {}),
    ...(shownCall.customer ? { customer: shownCall.customer } : {}),
    ...details,
  };
  return {
    url,
    headers,
    secret,
    body: JSON.stringify({ message }),
    timeoutMs: timeoutSeconds * 1000,
  };
}

function phoneOf({ numberId, assistantNumber }: CallRecord) {
  return {
    ...(numberId ? { id: numberId } : {}),
    ...(assistantNumber ? { number: assistantNumber } : {}),
  };
}
