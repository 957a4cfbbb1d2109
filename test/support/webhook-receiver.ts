import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { WebhookKind } from '../../src/contract/webhook-kinds.ts';
import { webhookMessages } from '../../src/contract/webhooks.ts';
import { startLocalServer } from './local-server.ts';

export interface ReceivedWebhook {
  readonly id: string;
  readonly type: WebhookKind;
  readonly callId: string;
  readonly message: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** Answers a request; by default with 200. */
export type WebhookAnswer = (response: ServerResponse, received: ReceivedWebhook) => void;

export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  /** Everything that came in, repeated tries included. */
  readonly received: readonly ReceivedWebhook[];
  answer: WebhookAnswer;
  /** What came first of each message of a call, in the order in which it came. */
  of(callId: string): readonly ReceivedWebhook[];
  /** Resolves once the condition holds. */
  until(condition: (received: readonly ReceivedWebhook[]) => boolean): Promise<void>;
}

export const taken: WebhookAnswer = (response) => response.end('{"ok":true}');

/** A user's server: refuses what the API's description does not allow. */
export async function startWebhookReceiver(
  answer: WebhookAnswer = taken,
  host?: string,
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const waiters = new Set<() => void>();
  const receiver = { answer };
  const server = await startLocalServer((request, response) => {
    text(request).then(
      (body) => {
        const one = parse(request, body);
        received.push(one);
        receiver.answer(response, one);
        for (const wake of waiters) wake();
      },
      () => undefined,
    );
  }, host);
  return Object.assign(receiver, {
    url: `${server.url}/hook`,
    received,
    of: (callId: string) => {
      const own = received.filter((one) => one.callId === callId);
      return own.filter((one, i) => own.findIndex(({ id }) => id === one.id) === i);
    },
    until: (condition: (all: readonly ReceivedWebhook[]) => boolean) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          if (!condition(received)) return;
          waiters.delete(wake);
          resolve();
        };
        waiters.add(wake);
        wake();
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}

function parse(request: IncomingMessage, body: string): ReceivedWebhook {
  const { message } = JSON.parse(body) as { message: { type: WebhookKind; call: { id: string } } };
  webhookMessages[message.type].schema.parse(message);
  return {
    id: `${request.headers['webhook-id']}`,
    type: message.type,
    callId: message.call.id,
    message,
    body,
    headers: request.headers,
  };
}
