import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTwiml } from '../../../src/carriers/emulator/twiml.ts';
import { signTwilio } from '../../../src/carriers/twilio/signature.ts';
import { ACCOUNT_SID } from './account.ts';
import type { Asked } from './child.ts';
import { compileLoad, LoadProcess } from './load-process.ts';
import type { CallersApi, Target } from './messages.ts';
import { carrierFrames, FRAME_MS, SCRIPT_MS, type Wire, webFrames } from './spoken-turns.ts';
import { REPLY_MS } from './vendor-script.ts';

const CONNECTING_AT_ONCE = 6;
const REQUEST_MS = 20_000;

/** The callers of the load, in a process of their own; calls are set up from here, and handed over to it. */
export type Callers = Asked<CallersApi>;

export async function startCallers(): Promise<Callers> {
  const { folder } = await compileLoad();
  const [carrierFile, webFile] = [join(folder, 'carrier.ulaw'), join(folder, 'web.pcm')];
  await writeFile(carrierFile, carrierFrames());
  await writeFile(webFile, webFrames());
  const load = await LoadProcess.start('callers', carrierFile, webFile);
  const api = callersOf(load);
  return {
    process: load.process,
    ask: ((name: keyof CallersApi, ...args: [never, never]) =>
      api[name](...args)) as Callers['ask'],
    stop: () => load.stop(),
  };
}

type Answers = {
  readonly [Name in keyof CallersApi]: (
    ...args: Parameters<CallersApi[Name]>
  ) => Promise<Awaited<ReturnType<CallersApi[Name]>>>;
};

const callersOf = (load: LoadProcess): Answers => ({
  async connect(target) {
    const refused: string[] = [];
    let connected = 0;
    await eachCall(target.calls, CONNECTING_AT_ONCE, async (n) => {
      try {
        const line = await openLine(load, target, n);
        await load.ask('talk', line);
        connected++;
      } catch (error) {
        refused.push(error instanceof Error ? error.message : String(error));
      }
    });
    return { connected, refused };
  },
  async churn(target, { atOnce, frames }) {
    let answered = 0;
    await eachCall(target.calls, atOnce, async (n) => {
      const line = await openLine(load, target, n);
      await load.ask('talk', line, frames);
      answered++;
    });
    return answered;
  },
  reset: () => load.ask('reset') as Promise<void>,
  report: () => load.ask('report') as Promise<ReturnType<CallersApi['report']>>,
  hangup: () => load.ask('hangup') as Promise<void>,
});

async function eachCall(
  calls: number,
  atOnce: number,
  act: (n: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < calls; n = next++) await act(n);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

let lines = 0;

/** Resolves with the line's number once the call is answered; rejects with why it is not. */
async function openLine(load: LoadProcess, target: Target, n: number): Promise<number> {
  const wire = target.wires[n % target.wires.length] as Wire;
  const callSid = `CA${randomBytes(16).toString('hex')}`;
  const number = `+1500${String(5_551_000 + n)}`;
  const from = Math.floor((n * SCRIPT_MS) / target.calls / FRAME_MS);
  const isFloor = target.kind === 'floor';
  const address = isFloor
    ? target.url
    : wire === 'web'
      ? await connectWeb(target)
      : await connectCarrier(target, callSid, number);
  const { hostname, port, pathname, search } = new URL(address);
  const { address: host } = await lookup(hostname, { family: 4 });
  const line = lines++;
  const call = [line, wire, host, port || 80, `${pathname}${search}`, callSid, ACCOUNT_SID];
  const says = [from, target.silent ? 1 : 0, isFloor ? 0 : REPLY_MS];
  const party = isFloor || wire === 'web' ? [] : [number];
  await load.ask('open', ...call, ...says, ...party);
  return line;
}

async function connectWeb({ url, apiKey, assistantId }: Target): Promise<string> {
  const response = await fetch(`${url}/calls/v1/conversations/connect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ direction: 'inbound', assistantId }),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  if (!response.ok) throw new Error(`connect: ${response.status} ${await response.text()}`);
  const { webCall } = (await response.json()) as { webCall: { url: string } };
  return webCall.url;
}

async function connectCarrier(
  { url, carrier }: Target,
  callSid: string,
  from: string,
): Promise<string> {
  if (!carrier) throw new Error('the target has no number');
  const body = new URLSearchParams({
    AccountSid: ACCOUNT_SID,
    ApiVersion: '2010-04-01',
    CallSid: callSid,
    CallStatus: 'ringing',
    Direction: 'inbound',
    From: from,
    To: carrier.number,
  });
  const webhook = `${url}/carriers/twilio/voice`;
  const response = await fetch(webhook, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signTwilio(carrier.authToken, webhook, [...body]),
    },
    body: body.toString(),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  const verbs = parseTwiml(await response.text());
  const [first] = typeof verbs === 'string' ? [] : verbs;
  if (first?.verb !== 'connect-stream')
    throw new Error(
      `webhook: ${response.status} ${first?.verb} ${first?.verb === 'reject' ? first.reason : ''}`,
    );
  return first.url;
}
