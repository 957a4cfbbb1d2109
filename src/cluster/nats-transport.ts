import type { Duplex } from 'node:stream';
import { headers as createHeaders, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { newToken } from '../lib/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type Answers, refusal } from './answers.ts';
import { type BusAccess, NatsLine } from './nats-connection.ts';
import { PacketStream, resetPacket } from './packet-stream.ts';
import {
  MAX_BODY_BYTES,
  OPEN_MS,
  type Reachable,
  type Reply,
  type Transport,
} from './transport.ts';

interface NatsDeps {
  readonly nodeId: string;
  readonly answers: Pick<Answers, 'set' | 'reply'>;
  /** Takes a stream that another node has opened. */
  readonly onStream: (stream: Duplex) => void;
  readonly clock: Clock;
  readonly log: Log;
}

interface Opened {
  readonly id: string;
  readonly from: string;
}

interface OpenStream {
  readonly stream: PacketStream;
  readonly peerId: string;
}

const TIMEOUT_HEADER = 'timeout-ms';
const OPEN = 'open-stream';
/** What a message needs beside its payload. */
const OVERHEAD_BYTES = 1_024;
const MAX_STREAMS = 4_096;
/** The status of NATS's answer to a question that nobody listens to. */
const NO_RESPONDERS = 503;

type Kind = 'ask' | 'answer' | 'cancel' | 'stream';

/** Each node listens to its own subjects alone, all of them under this one. */
const subjectOf = (nodeId: string, kind: Kind, rest: string) =>
  `parley.node.${nodeId}.${kind}.${rest}`;

/** Reaches nodes on other machines over NATS. Messages that get lost are questions without answers; streams resend. */
export class NatsTransport implements Transport {
  readonly #deps: NatsDeps;
  readonly #waiting = new Map<string, (reply: Reply) => void>();
  /** What is being answered, by the subject of its answer. */
  readonly #answering = new Map<string, AbortController>();
  readonly #streams = new Map<string, OpenStream>();
  #line: NatsLine | undefined;
  #asked = 0;

  private constructor(deps: NatsDeps) {
    this.#deps = deps;
  }

  /** Rejects with BusRefusedError if the server does not let us in; one that is away is waited for. */
  static async connect(access: BusAccess, deps: NatsDeps): Promise<NatsTransport> {
    const transport = new NatsTransport(deps);
    deps.answers.set(OPEN, async (body) => transport.#accept(body as Opened));
    transport.#line = await NatsLine.open(access, {
      name: `parley ${deps.nodeId}`,
      clock: deps.clock,
      log: deps.log,
      onConnection: (connection) => transport.#listen(connection),
      onBack: () => transport.#resend(),
    });
    return transport;
  }

  async ask(
    node: Reachable,
    subject: string,
    body: unknown,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<unknown> {
    const connection = this.#connected();
    const question = JSON.stringify(body ?? null);
    if (Buffer.byteLength(question) > maxBytes(connection))
      throw new Error('the question is too large');
    const headers = createHeaders();
    headers.set(TIMEOUT_HEADER, String(timeoutMs));
    const id = String(this.#asked++);
    const reply = subjectOf(this.#deps.nodeId, 'answer', id);
    let onAbort = () => {};
    try {
      const answered = new Promise<Reply>((resolve, reject) => {
        this.#waiting.set(id, resolve);
        onAbort = () => {
          this.#publish(subjectOf(node.id, 'cancel', 'question'), reply);
          reject(signal.reason as Error);
        };
        signal.throwIfAborted();
        signal.addEventListener('abort', onAbort, { once: true });
        connection.publish(subjectOf(node.id, 'ask', subject), question, { reply, headers });
      });
      const { answer, error } = await answered;
      if (error !== undefined) throw new Error(error);
      return answer;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#waiting.delete(id);
    }
  }

  async open(node: Reachable): Promise<Duplex> {
    const opened: Opened = { id: newToken(), from: this.#deps.nodeId };
    const stream = this.#createStream(opened.id, node.id);
    try {
      const closed = new AbortController();
      // It is closed when the other node turns out to be dead, or has taken and ended it.
      stream.once('close', () => closed.abort(new Error('the stream was closed')));
      const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(OPEN_MS)]);
      await this.ask(node, OPEN, opened, { timeoutMs: OPEN_MS, signal });
      return stream;
    } catch (error) {
      stream.destroy();
      throw error;
    }
  }

  /** The node is gone: nothing more comes from it. */
  drop(nodeId: string): void {
    for (const { stream, peerId } of [...this.#streams.values()])
      if (peerId === nodeId) stream.destroy();
  }

  async close(): Promise<void> {
    for (const { stream } of [...this.#streams.values()]) stream.destroy();
    await this.#line?.close();
  }

  #connected(): NatsConnection {
    const connection = this.#line?.current;
    if (!connection) throw new Error('the NATS server is away');
    return connection;
  }

  #listen(connection: NatsConnection): void {
    connection.subscribe(`parley.node.${this.#deps.nodeId}.>`, {
      callback: (error, message) => {
        if (error) this.#deps.log.warn({ err: error }, 'NATS refuses to deliver messages');
        else this.#receive(message);
      },
    });
  }

  #receive(message: Msg): void {
    const [, , , kind, ...rest] = message.subject.split('.');
    const name = rest.join('.');
    if (kind === 'ask') void this.#answer(message, name);
    else if (kind === 'answer') this.#waiting.get(name)?.(replyOf(message));
    else if (kind === 'cancel') this.#answering.get(message.string())?.abort();
    else if (kind === 'stream') this.#pass(message, name);
  }

  async #answer(message: Msg, subject: string): Promise<void> {
    const { reply } = message;
    if (!reply) return;
    const gone = new AbortController();
    this.#answering.set(reply, gone);
    const { json } = await this.#deps.answers.reply(subject, () => message.string(), {
      timeoutMs: Number(message.headers?.get(TIMEOUT_HEADER)),
      gone: gone.signal,
    });
    this.#answering.delete(reply);
    if (gone.signal.aborted) return;
    const connection = this.#line?.current;
    const isTooLarge = connection && Buffer.byteLength(json) > maxBytes(connection);
    this.#publish(reply, isTooLarge ? refusal('the answer is too large').json : json);
  }

  /** A packet for a stream that is not open here is answered by one that ends the stream there. */
  #pass(message: Msg, id: string): void {
    const open = this.#streams.get(id);
    if (open) open.stream.receive(message.data);
    else if (message.reply) this.#publish(message.reply, resetPacket());
  }

  #accept({ id, from }: Opened): void {
    this.#deps.onStream(this.#createStream(id, from));
  }

  #createStream(id: string, peerId: string): PacketStream {
    if (this.#streams.size >= MAX_STREAMS) throw new Error('too many streams are open');
    const subject = subjectOf(peerId, 'stream', id);
    const reply = subjectOf(this.#deps.nodeId, 'stream', id);
    const connection = this.#connected();
    const stream = new PacketStream({
      send: (packet) => this.#publish(subject, packet, reply),
      clock: this.#deps.clock,
      maxPacketBytes: maxBytes(connection),
    });
    this.#streams.set(id, { stream, peerId });
    stream.once('close', () => this.#streams.delete(id));
    return stream;
  }

  #resend(): void {
    for (const { stream } of [...this.#streams.values()]) stream.resend();
  }

  /** What is sent while the server is away is not kept: questions end by their deadlines, and streams send again. */
  #publish(subject: string, payload: string | Uint8Array, reply?: string): void {
    try {
      this.#line?.current?.publish(subject, payload, reply === undefined ? {} : { reply });
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'a message could not be given to NATS');
    }
  }
}

const maxBytes = (connection: NatsConnection): number =>
  Math.min(connection.info?.max_payload ?? MAX_BODY_BYTES, MAX_BODY_BYTES) - OVERHEAD_BYTES;

function replyOf(message: Msg): Reply {
  if (message.headers?.code === NO_RESPONDERS) return { error: 'nobody listens there' };
  try {
    return message.json<Reply>();
  } catch {
    return { error: 'the answer is not JSON' };
  }
}
