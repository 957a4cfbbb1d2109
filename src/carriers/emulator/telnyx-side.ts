import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { asText, type JsonObject } from '../../lib/json-frame.ts';
import type { Clock } from '../../ports/clock.ts';
import { answersSoon, type EmulatedCarrier, type EmulatedText } from './emulated-carrier.ts';
import {
  type EmulatorAnswer,
  type EmulatorRequest,
  startEmulatorServer,
} from './emulator-server.ts';
import { TelnyxCall } from './telnyx-call.ts';
import { TelnyxInventory } from './telnyx-inventory.ts';

const E164 = /^\+[1-9]\d{6,14}$/;
const WEBHOOK_MS = 10_000;
const WEBHOOK_ATTEMPTS = 3;
const AGAIN_MS = 500;

/** An emulated Telnyx: Call Control, its signed webhooks and its media streams. */
export async function startTelnyxEmulator({
  clock,
  port,
}: {
  readonly clock: Clock;
  readonly port?: number;
}): Promise<EmulatedCarrier<'telnyx'>> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const credentials = {
    apiKey: `KEY${randomUUID()}`,
    publicKey: raw.toString('base64'),
    connectionId: '1234567890',
    messagingProfileId: randomUUID(),
  };
  const key = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const inventory = new TelnyxInventory(credentials);
  const calls = new Map<string, TelnyxCall>();
  const texts: EmulatedText[] = [];
  const tones: { carrierCallId: string; digits: string }[] = [];
  const dialled: TelnyxCall[] = [];
  /** Answers by `command_id`: a repeated command is run once. */
  const commands = new Map<string, EmulatorAnswer>();
  const faults: EmulatedCarrier['faults'] = { answers: [] };

  /** Like Telnyx, delivers a webhook again if nobody was there to take it. */
  const post = async (
    url: string,
    type: string,
    payload: JsonObject,
    { id = randomUUID(), attempt = 1 } = {},
  ): Promise<void> => {
    const body = JSON.stringify({
      data: {
        record_type: 'event',
        event_type: type,
        id,
        occurred_at: new Date(clock.now()).toISOString(),
        payload,
      },
      meta: { attempt, delivered_to: url },
    });
    const timestamp = String(Math.floor(clock.now() / 1000));
    const isTaken = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'telnyx-timestamp': timestamp,
        'telnyx-signature-ed25519': sign(null, Buffer.from(`${timestamp}|${body}`), key).toString(
          'base64',
        ),
      },
      body,
      signal: AbortSignal.timeout(WEBHOOK_MS),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isTaken || attempt === WEBHOOK_ATTEMPTS) return;
    await new Promise<void>((resolve) => clock.setTimeout(resolve, AGAIN_MS));
    await post(url, type, payload, { id, attempt: attempt + 1 });
  };

  const createCall = (
    direction: 'incoming' | 'outgoing',
    from: string,
    to: string,
    options: { readonly webhookUrl: string; readonly clientState?: string; readonly name?: string },
  ): TelnyxCall => {
    const call = new TelnyxCall({
      clock,
      id: `v3:${randomUUID()}`,
      from,
      to,
      direction,
      connectionId: credentials.connectionId,
      clientState: options.clientState ?? null,
      callerName: options.name ?? from,
      emit: (type, payload) => post(options.webhookUrl, type, payload),
      faults,
    });
    calls.set(call.carrierCallId, call);
    return call;
  };

  const serve = (request: EmulatorRequest): EmulatorAnswer => {
    if (request.authorization !== `Bearer ${credentials.apiKey}`)
      return problem(401, '10009', 'Authentication failed');
    const { method, path, json } = request;
    const [, id, action] = /^\/calls\/([^/]+)\/actions\/(\w+)$/.exec(path) ?? [];
    if (method === 'POST' && (path === '/calls' || action)) {
      const commandId = asText(json.command_id);
      const known = commands.get(commandId);
      if (known) return known;
      const answer = action ? act(id ?? '', action, json) : dial(json);
      if (commandId && answer.status < 300) commands.set(commandId, answer);
      return answer;
    }
    if (method === 'POST' && path === '/messages') return sendText(json);
    return inventory.serve(request) ?? problem(404, '10005', 'Resource not found');
  };

  const dial = (json: JsonObject): EmulatorAnswer => {
    const [to, from] = [asText(json.to), asText(json.from)];
    if (json.connection_id !== credentials.connectionId)
      return problem(422, '10006', 'Invalid connection id');
    if (!E164.test(to)) return problem(422, '10016', 'Phone number must be in +E.164 format');
    if (!inventory.has(from)) return problem(403, '10010', 'Unverified origination number');
    const behaviour = carrier.behaviour({ from, to });
    if (behaviour.outcome === 'refuse')
      return problem(403, '10010', 'Dialled number is not whitelisted');
    const webhookUrl = asText(json.webhook_url) || inventory.webhookUrl;
    const clientState = asText(json.client_state);
    const call = createCall('outgoing', from, to, {
      webhookUrl,
      ...(clientState ? { clientState } : {}),
    });
    call.initiated('bridging');
    clock.setTimeout(() => {
      if (call.isOver) return;
      if (behaviour.outcome !== 'answer') {
        call.end(
          { busy: 'user_busy', 'no-answer': 'timeout', failed: 'not_found' }[behaviour.outcome],
        );
        return;
      }
      dialled.push(call);
      call.answered();
      carrier.onAnswered?.(call);
    }, behaviour.ringMs);
    const data = { record_type: 'call', call_control_id: call.carrierCallId, is_alive: false };
    return { status: 200, json: { data } };
  };

  const act = (id: string, action: string, json: JsonObject): EmulatorAnswer => {
    const call = calls.get(id);
    if (!call) return problem(404, '10005', 'Resource not found');
    if (call.isOver) return problem(422, '90018', 'Call has already ended');
    if (action === 'send_dtmf') {
      const digits = asText(json.digits);
      if (!/^[0-9A-D*#wW]+$/.test(digits)) return problem(422, '10015', 'Invalid digits');
      tones.push({ carrierCallId: id, digits });
      return done;
    }
    return call.command(action, json) ?? done;
  };

  const sendText = (json: JsonObject): EmulatorAnswer => {
    const [to, from, text] = [asText(json.to), asText(json.from), asText(json.text)];
    if (!E164.test(to)) return problem(422, '10016', 'Phone number must be in +E.164 format');
    if (!inventory.has(from)) return problem(422, '40305', "Invalid 'from' address");
    const id = randomUUID();
    texts.push({ id, from, to, text });
    return { status: 200, json: { data: { id, to: [{ phone_number: to, status: 'queued' }] } } };
  };

  const http = await startEmulatorServer(faults, serve, port === undefined ? {} : { port });
  const carrier: EmulatedCarrier<'telnyx'> = {
    name: 'telnyx',
    baseUrl: http.url,
    credentials,
    faults,
    texts,
    tones,
    dialled,
    // Telnyx's `refer` accepts SIP addresses only.
    referred: [],
    behaviour: answersSoon,
    onAnswered: undefined,
    addNumber: (number, { voiceUrl, smsUrl }) => inventory.add(number, voiceUrl, smsUrl),
    async call({ from, to, callerName }) {
      const name = callerName ? { name: callerName } : {};
      const call = createCall('incoming', from, to, { webhookUrl: inventory.webhookUrl, ...name });
      call.initiated('parked');
      return call;
    },
    async text({ from, to, text }) {
      await post(inventory.textUrl, 'message.received', {
        id: randomUUID(),
        direction: 'inbound',
        from: { phone_number: from },
        to: [{ phone_number: to }],
        text,
      });
    },
    async [Symbol.asyncDispose]() {
      for (const call of calls.values()) call.end('normal_clearing');
      await http.close();
    },
  };
  return carrier;
}

const done: EmulatorAnswer = { status: 200, json: { data: { result: 'ok' } } };

export function problem(status: number, code: string, title: string): EmulatorAnswer {
  return { status, json: { errors: [{ code, title, detail: title, source: { pointer: '/' } }] } };
}
