import { randomUUID } from 'node:crypto';
import { type WebSocket, WebSocketServer } from 'ws';
import { basicAuthorization } from '../../lib/basic-authorization.ts';
import type { Clock } from '../../ports/clock.ts';
import { AsteriskBridges, error } from './asterisk-bridges.ts';
import { APPLICATION, AsteriskCall, CAUSES, SIP_CODES, viewOf } from './asterisk-call.ts';
import { createAsteriskWire } from './asterisk-wire.ts';
import { answersSoon, type EmulatedCarrier, reportsRingingMs } from './emulated-carrier.ts';
import {
  type EmulatorAnswer,
  type EmulatorRequest,
  startEmulatorServer,
} from './emulator-server.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The parameters that chan_websocket accepts; it refuses others with "Invalid URI parameters" in its log. */
const URI_PARAMETER = /^(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$/;
/** The dialplan of `deploy/asterisk` waits as often for the application. */
const MAX_TRIES = 30;
const TRY_MS = 1000;
const REASONS: Readonly<Record<string, number>> = {
  normal: CAUSES.normal,
  busy: CAUSES.busy,
  rejected: CAUSES.rejected,
};

/** An emulated Asterisk: ARI, its events, and the WebSocket channel that connects to the service. */
export async function startAsteriskEmulator({
  clock,
  port,
}: {
  readonly clock: Clock;
  readonly port?: number;
}): Promise<EmulatedCarrier<'asterisk'>> {
  const login = { user: 'parley', password: randomUUID() };
  const authorization = basicAuthorization(login.user, login.password);
  const calls = new Map<string, AsteriskCall>();
  const bridges = new AsteriskBridges();
  const tones: { carrierCallId: string; digits: string }[] = [];
  const dialled: AsteriskCall[] = [];
  const referred: { carrierCallId: string; to: string }[] = [];
  const listeners = new Set<WebSocket>();
  const faults: EmulatedCarrier['faults'] = {
    answers: [],
    breakEvents() {
      for (const listener of listeners) listener.terminate();
      listeners.clear();
    },
  };
  const origins = new Map<string, string>();

  const tell = (type: string, fields: Fields) => {
    const event = { type, application: APPLICATION, timestamp: new Date(clock.now()), ...fields };
    for (const listener of listeners) listener.send(JSON.stringify(event));
  };
  const create = (
    one: Pick<AsteriskCall, 'from' | 'to' | 'callerName' | 'isFromDialplan'> & { id: string },
  ) => {
    const { id } = one;
    const call = new AsteriskCall({
      clock,
      ...one,
      onEnd(ended, cause) {
        const isInside = ended.isFromDialplan || ended.isAnswered;
        if (isInside && ended.context === undefined) {
          tell('ChannelHangupRequest', { channel: viewOf(ended, 'Up'), cause });
          tell('StasisEnd', { channel: viewOf(ended, 'Up') });
        }
        // A channel of the dialplan is no longer watched once it leaves the application.
        if (ended.isWatched)
          tell('ChannelDestroyed', { channel: viewOf(ended, 'Down'), cause, cause_txt: '' });
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
    if (path.startsWith('/bridges')) return bridges.serve(request.method, path, query);
    if (path === `/applications/${APPLICATION}` && listeners.size > 0)
      return { status: 200, json: { name: APPLICATION } };
    if (method === 'GET' && path === '/channels') return { status: 200, json: channels() };
    if (method === 'POST' && path === `/applications/${APPLICATION}/subscription`)
      return subscribe(query);
    const [, id = '', action] = /^\/channels\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    return channel(method, id, action, query);
  };

  const channels = () => {
    const standing = [...calls.values()].filter(({ isOver }) => !isOver);
    return standing.flatMap((call) => [
      viewOf(call, call.isAnswered ? 'Up' : call.isFromDialplan ? 'Ring' : 'Ringing'),
      ...[...call.media].map((id) => ({ id, state: 'Up' })),
    ]);
  };

  const subscribe = (query: URLSearchParams): EmulatorAnswer => {
    const call = calls.get((query.get('eventSource') ?? '').replace(/^channel:/, ''));
    if (!call || call.isOver) return error(422, 'Event source does not exist');
    call.isWatched = true;
    return { status: 200, json: { name: APPLICATION } };
  };

  const originate = (query: URLSearchParams): EmulatorAnswer => {
    const id = query.get('channelId') ?? randomUUID();
    const to = /^PJSIP\/(.+)@/.exec(query.get('endpoint') ?? '')?.[1];
    if (!to) return error(400, 'Endpoint not specified');
    if (calls.has(id)) return error(409, 'Channel with given unique ID already exists');
    const from = query.get('callerId') ?? '';
    const behaviour = carrier.behaviour({ from, to });
    if (behaviour.outcome === 'refuse') return error(500, 'Allocation failed');
    const call = create({ id, from, to, callerName: '', isFromDialplan: false });
    tell('Dial', { peer: viewOf(call, 'Down'), dialstatus: '' });
    clock.setTimeout(() => {
      if (!call.isOver) tell('Dial', { peer: viewOf(call, 'Ringing'), dialstatus: 'RINGING' });
    }, reportsRingingMs(behaviour.ringMs));
    clock.setTimeout(() => {
      if (call.isOver) return;
      if (behaviour.outcome !== 'answer') {
        call.end(CAUSES[behaviour.outcome]);
        return;
      }
      call.isAnswered = true;
      dialled.push(call);
      tell('Dial', { peer: viewOf(call, 'Up'), dialstatus: 'ANSWER' });
      tell('StasisStart', { channel: viewOf(call, 'Up'), args: ['outbound'] });
      carrier.onAnswered?.(call);
    }, behaviour.ringMs);
    return { status: 200, json: viewOf(call, 'Down') };
  };

  const externalMedia = (query: URLSearchParams): EmulatorAnswer => {
    const id = query.get('channelId') ?? '';
    const needed = { transport: 'websocket', encapsulation: 'none', format: 'ulaw' };
    const isRight = Object.entries(needed).every(([name, value]) => query.get(name) === value);
    const data = query.get('transport_data') ?? '';
    const token = /v\(token=([^,()]+)\)/.exec(data)?.[1];
    if (!isRight || query.get('external_host') !== 'parley' || !data.includes('f(json)') || !token)
      return error(400, 'Bad request');
    if (!URI_PARAMETER.test(token))
      return error(500, 'An internal error prevented this request from being handled');
    const call = calls.get(id.replace(/^media\.\d+\./, ''));
    if (!call) return error(500, 'No such channel in this emulation');
    if (call.media.has(id)) return error(409, 'Channel with given unique ID already exists');
    // A channel whose application nobody follows ends at once.
    if (listeners.size === 0) return { status: 200, json: { id, state: 'Down' } };
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

  /** Continues in the dialplan, outside the application; one context sends a REFER. */
  const goOn = (call: AsteriskCall, query: URLSearchParams): EmulatorAnswer => {
    const context = query.get('context') ?? '';
    const id = call.carrierCallId;
    bridges.leave(id);
    call.context = context;
    tell('StasisEnd', { channel: viewOf(call, 'Up') });
    const to = /^PJSIP\/sip:(.+)@/.exec(call.variables.get('PARLEY_REFER_TO') ?? '')?.[1];
    const isBack = (...args: readonly string[]) => {
      if (call.isOver) return;
      call.context = undefined;
      tell('StasisStart', { channel: viewOf(call, 'Up'), args: ['referred', ...args] });
    };
    if (context !== 'parley-refer') return { status: 204 };
    // The far end refuses anything but a SIP URI.
    if (!to) {
      isBack('FAILURE', '400');
      return { status: 204 };
    }
    const behaviour = carrier.behaviour({ from: call.from, to });
    const { outcome } = behaviour;
    if (outcome === 'answer') referred.push({ carrierCallId: id, to });
    clock.setTimeout(
      () => {
        if (outcome !== 'answer') isBack('FAILURE', SIP_CODES[outcome] ?? '500');
        else if (behaviour.takesOver === 'says-so') isBack('SUCCESS', '200');
        else call.end(CAUSES.normal);
      },
      outcome === 'refuse' ? 0 : behaviour.ringMs,
    );
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
    if (method === 'GET') return { status: 200, json: viewOf(owner, 'Up') };
    // The application can't control channels outside it.
    if (owner.context !== undefined && method !== 'DELETE')
      return error(409, 'Channel not in Stasis application');
    if (method === 'DELETE') owner.end(REASONS[query.get('reason') ?? 'normal'] ?? CAUSES.normal);
    else if (action === 'answer') owner.isAnswered = true;
    else if (action === 'continue') return goOn(owner, query);
    else if (action === 'variable')
      owner.variables.set(query.get('variable') ?? '', query.get('value') ?? '');
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
      // Who is refused may break the connection off.
      socket.on('error', () => socket.destroy());
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
    // Numbers belong to the trunk.
    texts: [],
    tones,
    dialled,
    referred,
    behaviour: answersSoon,
    onAnswered: undefined,
    addNumber: (number, { voiceUrl }) =>
      void origins.set(number, new URL(voiceUrl).origin.replace(/^http/, 'ws')),
    async call({ from, to, callerName = '' }) {
      const id = `${clock.now().toFixed(3)}-${calls.size}`;
      const call = create({ id, from, to, callerName, isFromDialplan: true });
      const arrive = (tries: number) => {
        if (call.isOver) return;
        // While no application listens, the dialplan tries again, and gives up in the end.
        if (listeners.size > 0)
          tell('StasisStart', { channel: viewOf(call, 'Ring'), args: ['inbound'] });
        else if (tries > MAX_TRIES) call.end(CAUSES.failed);
        else clock.setTimeout(() => arrive(tries + 1), TRY_MS);
      };
      arrive(0);
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
