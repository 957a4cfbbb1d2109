import { Worker } from 'node:worker_threads';
import type { FromWorker, ToWorker } from './protocol.ts';

/** What a thread tells one of its streams. */
export interface ThreadClient {
  message(message: FromWorker): void;
  /** The thread is gone; nothing more will come. */
  lost(reason: string): void;
}

/** A recogniser thread and the streams it serves. It keeps the process alive only while it serves any. */
export class RecogniserThread {
  readonly #worker: Worker;
  readonly #clients = new Map<number, ThreadClient>();
  #gone = false;

  constructor(slots: number) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { slots } });
    this.#worker.unref();
    this.#worker.on('message', (message: FromWorker) => {
      this.#clients.get(message.streamId)?.message(message);
    });
    this.#worker.on('error', (error) => this.#lose(String(error)));
    this.#worker.on('exit', (code) => this.#lose(`exit code ${code}`));
  }

  get streams(): number {
    return this.#clients.size;
  }

  get gone(): boolean {
    return this.#gone;
  }

  attach(streamId: number, client: ThreadClient): void {
    this.#clients.set(streamId, client);
    this.#worker.ref();
  }

  detach(streamId: number): void {
    if (!this.#clients.delete(streamId)) return;
    this.send({ type: 'close', streamId });
    if (this.#clients.size === 0) this.#worker.unref();
  }

  send(message: ToWorker): void {
    if (!this.#gone) this.#worker.postMessage(message);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #lose(reason: string): void {
    if (this.#gone) return;
    this.#gone = true;
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    for (const client of clients) client.lost(reason);
  }
}
