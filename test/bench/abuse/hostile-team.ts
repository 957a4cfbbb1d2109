import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { HostilePartners } from './hostile-partners.ts';
import { LeanSocket } from './lean-socket.ts';

/** The assistant of a call that the team places: recogniser and voice are the service's own, so that it pays for both. */
const SPEECH = { speech: { stt: { vendor: 'offline' }, ttsData: [{ vendor: 'offline' }] } };
/** Whoever is refused at once waits this long: the machine is not to be busy with refusals alone. */
const REFUSED_MS = 20;

/** A team that means harm: its key, its servers, and what became of all that it tried. */
export class HostileTeam {
  readonly url: string;
  readonly partners: HostilePartners;
  readonly #key: string;
  #counts: Record<string, number> = {};

  constructor(url: string, key: string, partners: HostilePartners) {
    this.url = url;
    this.#key = key;
    this.partners = partners;
  }

  /** What came of it since this was last asked, by kind. */
  takeCounts(): Readonly<Record<string, number>> {
    const counts = this.#counts;
    this.#counts = {};
    return counts;
  }

  count(what: string | number): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }

  /** One request, its status counted. The body of the answer, where it is JSON. */
  async send(
    method: string,
    path: string,
    body?: string | FormData,
    signal?: AbortSignal,
    key = this.#key,
  ): Promise<Record<string, unknown>> {
    try {
      const response = await fetch(this.url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        },
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
      });
      const text = await response.text();
      this.count(response.status);
      if (response.status >= 429) await delay(REFUSED_MS);
      return JSON.parse(text) as Record<string, unknown>;
    } catch (error) {
      if (!signal?.aborted) this.count(error instanceof Error ? error.name : 'failed');
      return {};
    }
  }

  /** Makes something the attack needs; its id. */
  async make(path: string, body: object): Promise<string> {
    const made = await this.send('POST', path, JSON.stringify(body));
    const id = made._id ?? made.id;
    if (typeof id !== 'string') throw new Error(`${path}: ${JSON.stringify(made).slice(0, 500)}`);
    return id;
  }

  assistant(fields: object): Promise<string> {
    const common = { config: SPEECH, welcomeMessageMode: 'assistant-waits-for-user' };
    return this.make('/assistants/v1/assistants', { ...common, name: 'Hostile', ...fields });
  }

  /** A web call, open until the signal; it says `words` again and again. Resolves when it is over. */
  async call(assistantId: string, words: readonly string[], signal: AbortSignal): Promise<void> {
    const body = { direction: 'inbound', assistantId };
    const path = '/calls/v1/conversations/connect';
    const { webCall } = await this.send('POST', path, JSON.stringify(body), signal);
    const { url } = (webCall ?? {}) as { readonly url?: string };
    if (url === undefined || signal.aborted) return;
    const over = Promise.withResolvers<void>();
    const socket = new LeanSocket(url, {
      opened: () => socket.text('{"type":"start","sampleRate":16000}'),
      message: () => undefined,
      closed: (why) => {
        this.count(`call ${why.slice(0, 4)}`);
        over.resolve();
      },
    });
    const typing = setInterval(() => {
      for (const text of words) socket.text(JSON.stringify({ type: 'text', text }));
    }, 1500);
    const end = () => {
      socket.text('{"type":"hangup"}');
      setTimeout(() => socket.terminate(), 200);
    };
    signal.addEventListener('abort', end, { once: true });
    await over.promise;
    clearInterval(typing);
    signal.removeEventListener('abort', end);
  }

  /** A TCP connection that sends its head and then a byte now and then. Resolves when it is closed. */
  async drip(head: string, signal: AbortSignal): Promise<void> {
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname);
    const over = Promise.withResolvers<void>();
    socket.on('error', () => undefined);
    socket.on('close', () => over.resolve());
    socket.on('data', (data) => this.count(data.toString('latin1', 9, 12)));
    socket.write(head);
    const timer = setInterval(() => socket.write(' '), 500);
    const end = () => socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    await over.promise;
    clearInterval(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Does it so many times at once, again and again until the signal. */
export async function again(
  atOnce: number,
  signal: AbortSignal,
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  let n = 0;
  const worker = async () => {
    while (!signal.aborted) {
      await work(n++);
      // Whatever is refused without a wait must not keep this process from its own sockets.
      await delay(1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
