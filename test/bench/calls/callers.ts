import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseTwiml } from '../../../src/carriers/emulator/twiml.ts';
import { signTwilio } from '../../../src/carriers/twilio/signature.ts';
import { ACCOUNT_SID } from './account.ts';
import { CallerLine } from './caller-line.ts';
import { serve } from './child.ts';
import type { Gap } from './far-end-gauge.ts';
import { type CallersApi, monotonicMs, type Target } from './messages.ts';
import { FRAME_MS, SCRIPT_MS, type Wire } from './spoken-turns.ts';
import { REPLY_MS } from './vendor-script.ts';

/** Callers do not all speak at the same instant of the 20 ms. */
const STEP_MS = 2;
const STEPS = FRAME_MS / STEP_MS;
const CONNECTING_AT_ONCE = 6;
/** From here on a late step of this process is noted with its instant. */
const OWN_GAP_MS = 3;

let lines: CallerLine[] = [];
let ownDelayMs: number[] = [];
let ownGaps: Gap[] = [];
let step = 0;
let dueAt = 0;

/** One timer on a grid for all callers; a late one catches up. */
function tick(): void {
  const now = monotonicMs();
  if (now - dueAt > OWN_GAP_MS) ownGaps.push({ atMs: now, ms: now - dueAt });
  while (dueAt <= now) {
    ownDelayMs.push(now - dueAt);
    for (let n = step; n < lines.length; n += STEPS) lines[n]?.beat(now);
    step = (step + 1) % STEPS;
    dueAt += STEP_MS;
  }
  setTimeout(tick, Math.max(0, dueAt - monotonicMs()));
}

async function openLine(target: Target, n: number): Promise<CallerLine> {
  const wire = target.wires[n % target.wires.length] as Wire;
  const callSid = `CA${randomBytes(16).toString('hex')}`;
  const from = Math.floor((n * SCRIPT_MS) / target.calls / FRAME_MS);
  const common = { wire, callSid, accountSid: ACCOUNT_SID, from, silent: target.silent };
  if (target.kind === 'floor')
    return new CallerLine({ ...common, url: target.url.replace('http', 'ws') });
  if (wire === 'web')
    return new CallerLine({ ...common, url: await connectWeb(target), replyMs: REPLY_MS });
  const number = `+1500${String(5_551_000 + n)}`;
  const url = await connectCarrier(target, callSid, number);
  return new CallerLine({ ...common, url, party: number, replyMs: REPLY_MS });
}

async function connectWeb({ url, apiKey, assistantId }: Target): Promise<string> {
  const response = await fetch(`${url}/calls/v1/conversations/connect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ direction: 'inbound', assistantId }),
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
  });
  const verbs = parseTwiml(await response.text());
  const [first] = typeof verbs === 'string' ? [] : verbs;
  if (first?.verb !== 'connect-stream')
    throw new Error(
      `webhook: ${response.status} ${first?.verb} ${first?.verb === 'reject' ? first.reason : ''}`,
    );
  return first.url;
}

const api: { [Name in keyof CallersApi]: (...args: Parameters<CallersApi[Name]>) => unknown } = {
  async connect(target) {
    const refused: string[] = [];
    let next = 0;
    let connected = 0;
    const work = async (): Promise<void> => {
      for (let n = next++; n < target.calls; n = next++) {
        try {
          const line = await openLine(target, n);
          await line.ready();
          lines.push(line);
          connected++;
        } catch (error) {
          refused.push(error instanceof Error ? error.message : String(error));
        }
      }
    };
    await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, work));
    return { connected, refused };
  },
  async churn(target, { atOnce, frames }) {
    let next = 0;
    let answered = 0;
    const work = async (): Promise<void> => {
      for (let n = next++; n < target.calls; n = next++) {
        const line = await openLine(target, n);
        await line.ready();
        for (let frame = 0; frame < frames; frame++) {
          line.beat(monotonicMs());
          await delay(FRAME_MS);
        }
        line.hangup();
        await line.closed();
        answered++;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return answered;
  },
  reset() {
    for (const line of lines) line.reset();
    ownDelayMs = [];
    ownGaps = [];
  },
  report: () => ({ lines: lines.map((line) => line.report()), ownDelayMs, ownGaps }),
  async hangup() {
    for (const line of lines) line.hangup();
    const until = monotonicMs() + 5000;
    while (lines.some((line) => line.isOpen) && monotonicMs() < until) await delay(FRAME_MS);
    for (const line of lines) line.drop();
    lines = [];
  },
};

dueAt = monotonicMs();
tick();
serve(api as never);
