import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Answers } from '../../src/cluster/answers.ts';
import { NatsTransport } from '../../src/cluster/nats-transport.ts';
import type { Reachable } from '../../src/cluster/transport.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { installedNats, NatsServer } from '../support/nats-server.ts';
import type { Bench } from './main.ts';
import { spread, writeMeasured } from './measured.ts';
import { processTree } from './process-tree.ts';
import { quantiles } from './quantiles.ts';

/** Calls whose sound is passed on from the machine that has their socket to the one that has the call. */
const CALLS = [10, 50, 100];
const SECONDS = 10;
/** Questions under way at once, such as control and webhooks of calls elsewhere. */
const QUESTIONS_AT_ONCE = [1, 64];
const FRAME_MS = 20;
/** 20 ms of a web call: 16 kHz, 16 bits, and the head of a WebSocket frame with its mask. */
const FRAME_BYTES = 640 + 8;
/** What a question and its answer hold: about that of a control request. */
const BODY = { callId: uuidv7(), event: { type: 'control.say', text: 'x'.repeat(200) } };
const ASK_MS = 5000;

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A machine as the bus sees it: answers questions by their own body, and sends sound back. */
class Machine implements AsyncDisposable {
  readonly node: Reachable;
  readonly transport: NatsTransport;
  readonly #answers: Answers;

  private constructor(node: Reachable, transport: NatsTransport, answers: Answers) {
    this.node = node;
    this.transport = transport;
    this.#answers = answers;
  }

  static async join(url: string): Promise<Machine> {
    const id = uuidv7();
    const answers = new Answers({ log: silent });
    answers.set('echo', async (body) => body);
    const transport = await NatsTransport.connect(
      { url },
      { nodeId: id, answers, onStream: sendBack, clock: systemClock, log: silent },
    );
    return new Machine({ id, serviceId: id, place: id, address: '' }, transport, answers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#answers.close();
    await this.transport.close();
  }
}

function sendBack(stream: Duplex): void {
  stream.on('error', () => undefined);
  stream.pipe(stream);
}

/** The sound of one relayed call: a frame is sent every 20 ms, and comes back. */
class RelayedCall {
  readonly tookMs: number[] = [];
  readonly #stream: Duplex;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  send(): void {
    const frame = Buffer.alloc(FRAME_BYTES);
    frame.writeDoubleLE(performance.now());
    this.#stream.write(frame);
  }

  close(): void {
    this.#stream.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    for (; at + FRAME_BYTES <= this.#rest.length; at += FRAME_BYTES)
      this.tookMs.push(performance.now() - this.#rest.readDoubleLE(at));
    this.#rest = this.#rest.subarray(at);
  }
}

/** What the server's process uses while the work is done, in cores. */
async function coresOf(server: NatsServer, work: () => Promise<void>): Promise<number> {
  const cpuMs = () => processTree(server.pid)[0]?.cpuMs ?? Number.NaN;
  const [cpuBefore, startedAt] = [cpuMs(), performance.now()];
  await work();
  return (cpuMs() - cpuBefore) / (performance.now() - startedAt);
}

async function ask(server: NatsServer, [from, to]: Pair, atOnce: number, seconds: number) {
  const tookMs: number[] = [];
  const until = performance.now() + seconds * 1000;
  const asker = async () => {
    while (performance.now() < until) {
      const begunAt = performance.now();
      const signal = AbortSignal.timeout(ASK_MS);
      await from.transport.ask(to.node, 'echo', BODY, { timeoutMs: ASK_MS, signal });
      tookMs.push(performance.now() - begunAt);
    }
  };
  const cores = await coresOf(server, async () => {
    await Promise.all(Array.from({ length: atOnce }, asker));
  });
  return { perSecond: tookMs.length / seconds, ...quantiles(tookMs), cores };
}

async function relay(server: NatsServer, [from, to]: Pair, count: number, seconds: number) {
  const calls: RelayedCall[] = [];
  for (let i = 0; i < count; i++) calls.push(new RelayedCall(await from.transport.open(to.node)));
  let sent = 0;
  const cores = await coresOf(server, async () => {
    const startedAt = performance.now();
    for (let frame = 1; frame <= (seconds * 1000) / FRAME_MS; frame++) {
      for (const call of calls) call.send();
      sent += count;
      await delay(Math.max(0, startedAt + frame * FRAME_MS - performance.now()));
    }
  });
  await delay(ASK_MS / 10);
  const tookMs = calls.flatMap((call) => call.tookMs);
  for (const call of calls) call.close();
  return { ...quantiles(tookMs), lost: sent - tookMs.length, cores };
}

type Pair = readonly [Machine, Machine];

export const bench: Bench = {
  about: 'a NATS server between two machines: questions, and the sound of calls that are relayed',
  async run({ calls: loads = CALLS, seconds = SECONDS, rounds, write }) {
    if (!installedNats()) throw new Error('this bench needs nats-server (Debian: nats-server)');
    await using server = await NatsServer.start();
    await using from = await Machine.join(server.url);
    await using to = await Machine.join(server.url);
    const pair: Pair = [from, to];
    const rows: Record<string, string>[] = [];
    const measured: Record<string, unknown> = {};
    const several = async <Figures>(
      measure: () => Promise<Figures>,
    ): Promise<readonly Figures[]> => {
      const all: Figures[] = [];
      for (let round = 0; round < rounds; round++) all.push(await measure());
      return all;
    };
    for (const atOnce of QUESTIONS_AT_ONCE) {
      const all = await several(() => ask(server, pair, atOnce, seconds));
      measured[`questions ${atOnce}`] = all;
      rows.push({
        what: `Questions, ${atOnce} at once: ${spread(
          all.map((one) => one.perSecond),
          0,
        )} a second`,
        p50: spread(
          all.map((one) => one.p50),
          2,
        ),
        p99: spread(
          all.map((one) => one.p99),
          2,
        ),
        cores: spread(
          all.map((one) => one.cores),
          3,
        ),
      });
    }
    for (const count of loads) {
      const all = await several(() => relay(server, pair, count, seconds));
      measured[`calls ${count}`] = all;
      const lost = Math.max(...all.map((one) => one.lost));
      rows.push({
        what: `Sound of ${count} relayed calls${lost > 0 ? `, up to ${lost} frames late` : ''}`,
        p50: spread(
          all.map((one) => one.p50),
          2,
        ),
        p99: spread(
          all.map((one) => one.p99),
          2,
        ),
        cores: spread(
          all.map((one) => one.cores),
          3,
        ),
      });
    }
    const table = [
      '| | there and back p50, ms | p99, ms | cores of the server |',
      '|---|---|---|---|',
      ...rows.map(({ what, p50, p99, cores }) => `| ${what} | ${p50} | ${p99} | ${cores} |`),
    ].join('\n');
    console.log(table);
    if (write) await writeMeasured('docs/scale.md', 'nats', table);
    return measured;
  },
};
