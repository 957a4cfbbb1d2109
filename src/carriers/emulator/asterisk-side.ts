import { randomUUID } from 'node:crypto';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../ports/clock.ts';
import { AsteriskCall, CAUSES } from './asterisk-call.ts';
import { createAsteriskWire } from './asterisk-wire.ts';
import { answersSoon, type EmulatedCarrier } from './emulated-carrier.ts';
import {
  type EmulatorAnswer,
  type EmulatorRequest,
  startEmulatorServer,
} from './emulator-server.ts';

type Fields = Readonly<Record<string, unknown>>;

const APPLICATION = 'parley';
const REASONS: Readonly<Record<string, number>> = {
  normal: CAUSES.normal,
  busy: CAUSES.busy,
  rejected: CAUSES.rejected,
};

/** An emulated Asterisk: ARI, its events, and the WebSocket channel that calls the service. */
export async function startAsteriskEmulator({
  clock,
  port,
}: {
  readonly clock: Clock;
  readonly port?: number;
}): Promise<EmulatedCarrier<'asterisk'>> {
  const login = { user: 'parley', password: randomUUID() };
  const authorization = `Basic ${btoa(`${login.user}:${login.password}`)}`;
  const faults: EmulatedCarrier['faults'] = { answers: [] };
  const calls = new Map<string, AsteriskCall>();
  const bridges = new Map<string, Set<string>>();
  const tones: { carrierCallId: string; digits: string }[] = [];
  const dialled: AsteriskCall[] = [];
  const referred: { carrierCallId: string; to: string }[] = [];
  const listeners = new Set<WebSocket>();
  const origins = new Map<string, string>();

  const tell = (type: string, fields: Fields) => {
    const event = { type, application: APPLICATION, timestamp: new Date(clock.now()), ...fields };
    for (const listener of listeners) listener.send(JSON.stringify(event));
  };
  const view = (call: AsteriskCall, state: string) => ({
    id: call.carrierCallId,
    state,
    caller: { number: call.from, name: call.callerName },
    dialplan: { exten: call.to.replace('+', '') },
  });
  const create = (id: string, from: string, to: string, callerName: string) => {
    const call = new AsteriskCall({
      clock,
      id,
      from,
      to,
      callerName,
      onEnd(ended, cause) {
        if (ended.isAnswered) tell('StasisEnd', { channel: view(ended, 'Up') });
        tell('ChannelDestroyed', { channel: view(ended, 'Down'), cause, cause_txt: '' });
      },
    });
    calls.set(id, call);
    return call;
  };

  const serve = (request: EmulatorRequest): EmulatorAnswer => {
    if (request.authorization !== authorization) return { status: 401 };
    const path = request.path.replace(/^\/ari/, '');
    const { method, query } = request;
    if (method === 'POST' && path === '/channels') return originate(query);
    if (method === 'POST' && path === '/channels/externalMedia') return externalMedia(query);
    if (method === 'POST' && path === '/bridges') return bridge(query);
    const [, bridgeId, verb] = /^\/bridges\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (bridgeId) return changeBridge(method, bridgeId, verb, query);
    const [, id = '', action] = /^\/channels\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    return channel(method, id, action, query);
  };

  const originate = (query: URLSearchParams): EmulatorAnswer => {
    const id = query.get('channelId') ?? randomUUID();
    const to = /^PJSIP\/(.+)@/.exec(query.get('endpoint') ?? '')?.[1];
    if (!to) return error(400, 'Endpoint not specified');
    if (calls.has(id)) return error(409, 'Channel with given unique ID already exists');
    const from = query.get('callerId') ?? '';
    const behaviour = carrier.behaviour({ from, to });
    if (behaviour.outcome === 'refuse') return error(500, 'Allocation failed');
    const call = create(id, from, to, '');
    tell('Dial', { peer: view(call, 'Down'), dialstatus: '' });
    clock.setTimeout(() => {
      if (!call.isOver) tell('Dial', { peer: view(call, 'Ringing'), dialstatus: 'RINGING' });
    }, behaviour.ringMs / 2);
    clock.setTimeout(() => {
      if (call.isOver) return;
      if (behaviour.outcome !== 'answer') {
        call.end(CAUSES[behaviour.outcome]);
        return;
      }
      call.isAnswered = true;
      dialled.push(call);
      tell('Dial', { peer: view(call, 'Up'), dialstatus: 'ANSWER' });
      tell('StasisStart', { channel: view(call, 'Up'), args: ['outbound'] });
      carrier.onAnswered?.(call);
    }, behaviour.ringMs);
    return { status: 200, json: view(call, 'Down') };
  };

  const externalMedia = (query: URLSearchParams): EmulatorAnswer => {
    const id = query.get('channelId') ?? '';
    const needed = { transport: 'websocket', encapsulation: 'none', format: 'ulaw' };
    const isRight = Object.entries(needed).every(([name, value]) => query.get(name) === value);
    const data = query.get('transport_data') ?? '';
    const token = /v\(token=([^,)]+)\)/.exec(data)?.[1];
    if (!isRight || query.get('external_host') !== 'parley' || !data.includes('f(json)') || !token)
      return error(400, 'Bad request');
    const call = calls.get(id.replace(/^media\.\d+\./, ''));
    if (!call) return error(500, 'No such channel in this emulation');
    if (call.media.has(id)) return error(409, 'Channel with given unique ID already exists');
    const origin = origins.get(call.from) ?? origins.get(call.to) ?? '';
    call.media.add(id);
    void media(call, id, `${origin}/media/asterisk?token=${token}`);
    return { status: 200, json: { id, state: 'Down' } };
  };

  const media = async (call: AsteriskCall, id: string, url: string) => {
    const about = { id, state: 'Up' };
    let cause: number = CAUSES.normal;
    try {
      const done = call.handset.link({ url, wire: createAsteriskWire(id), protocol: 'media' });
      tell('StasisStart', { channel: about, args: [] });
      call.sockets++;
      call.hasMedia();
      await done;
    } catch {
      cause = 3;
    }
    call.media.delete(id);
    tell('StasisEnd', { channel: about });
    tell('ChannelDestroyed', { channel: about, cause, cause_txt: '' });
  };

  const bridge = (query: URLSearchParams): EmulatorAnswer => {
    const id = query.get('bridgeId') ?? randomUUID();
    if (bridges.has(id)) return error(409, 'Bridge with given unique ID already exists');
    bridges.set(id, new Set());
    return { status: 200, json: { id } };
  };

  const changeBridge = (
    method: string,
    id: string,
    verb: string | undefined,
    query: URLSearchParams,
  ): EmulatorAnswer => {
    const members = bridges.get(id);
    if (!members) return error(404, 'Bridge not found');
    if (method === 'DELETE') bridges.delete(id);
    else if (verb === 'addChannel')
      for (const member of (query.get('channel') ?? '').split(',')) members.add(member);
    return { status: 204 };
  };

  /** The telephone is told to call somebody else; where it gets through, it is gone from here. */
  const redirect = (call: AsteriskCall, query: URLSearchParams): EmulatorAnswer => {
    const to = /^PJSIP\/(.+)@/.exec(query.get('endpoint') ?? '')?.[1];
    if (!to) return error(400, 'Endpoint not specified');
    const behaviour = carrier.behaviour({ from: call.from, to });
    if (behaviour.outcome === 'refuse') return error(409, 'Channel not in a Stasis application');
    referred.push({ carrierCallId: call.carrierCallId, to });
    if (behaviour.outcome === 'answer')
      clock.setTimeout(() => call.end(CAUSES.normal), behaviour.ringMs);
    return { status: 204 };
  };

  const channel = (
    method: string,
    id: string,
    action: string | undefined,
    query: URLSearchParams,
  ): EmulatorAnswer => {
    const owner = calls.get(id.replace(/^media\.\d+\./, ''));
    if (id.startsWith('media.')) {
      if (!owner?.media.has(id)) return error(404, 'Channel not found');
      owner.handset.stop();
      return { status: 204 };
    }
    if (!owner || owner.isOver) return error(404, 'Channel not found');
    if (method === 'DELETE') owner.end(REASONS[query.get('reason') ?? 'normal'] ?? CAUSES.normal);
    else if (action === 'answer') owner.isAnswered = true;
    else if (action === 'redirect') return redirect(owner, query);
    else if (action === 'dtmf') tones.push({ carrierCallId: id, digits: query.get('dtmf') ?? '' });
    else return error(400, 'Unknown action');
    return { status: 204 };
  };

  const http = await startEmulatorServer(faults, serve, port === undefined ? {} : { port });
  const sockets = new WebSocketServer({ noServer: true });
  http.server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', http.url);
    const isOwn =
      url.pathname === '/ari/events' &&
      url.searchParams.get('app') === APPLICATION &&
      url.searchParams.get('api_key') === `${login.user}:${login.password}`;
    if (!isOwn) {
      socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (listener) => {
      listeners.add(listener);
      listener.on('close', () => listeners.delete(listener));
      listener.on('error', () => listener.terminate());
    });
  });

  const carrier: EmulatedCarrier<'asterisk'> = {
    name: 'asterisk',
    baseUrl: `${http.url}/ari`,
    credentials: { ariUrl: `${http.url}/ari`, ...login },
    faults,
    // They are the trunk's business.
    texts: [],
    tones,
    dialled,
    referred,
    behaviour: answersSoon,
    onAnswered: undefined,
    addNumber: (number, { voiceUrl }) =>
      void origins.set(number, new URL(voiceUrl).origin.replace(/^http/, 'ws')),
    async call({ from, to, callerName = '' }) {
      const call = create(`${clock.now().toFixed(3)}-${calls.size}`, from, to, callerName);
      // Where no application listens, the dialplan goes on, here to its end.
      if (listeners.size === 0) call.end(CAUSES.failed);
      else tell('StasisStart', { channel: view(call, 'Ring'), args: ['inbound'] });
      return call;
    },
    async text() {
      throw new Error('Asterisk carries no texts');
    },
    async [Symbol.asyncDispose]() {
      for (const call of calls.values()) call.end(CAUSES.normal);
      for (const listener of listeners) listener.terminate();
      sockets.close();
      await http.close();
    },
  };
  return carrier;
}

function error(status: number, message: string): EmulatorAnswer {
  return { status, json: { message } };
}
