import type { Worker } from 'node:worker_threads';
import { IdleEnd, type IdleRule } from '../../../lib/idle-end.ts';
import { startThread } from '../../../lib/start-thread.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

/** A stream's callbacks from its thread. */
export interface ThreadClient {
  message(message: FromWorker): void;
  /** The thread has ended; no message follows. */
  lost(reason: string): void;
}

/** A recogniser thread and its streams. It keeps the process alive only while it has streams, and ends when idle. */
export class RecogniserThread {
  readonly #worker: Worker;
  readonly #clients = new Map<number, ThreadClient>();
  readonly #idleEnd: IdleEnd;
  #gone = false;

  constructor(slots: number, idle: IdleRule) {
    this.#idleEnd = new IdleEnd(idle, () => {
      this.#gone = true;
      void this.#worker.terminate();
    });
    this.#worker = startThread(new URL('./worker.ts', import.meta.url), { workerData: { slots } });
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
    this.#idleEnd.stop();
    this.#worker.ref();
  }

  detach(streamId: number): void {
    if (!this.#clients.delete(streamId)) return;
    this.send({ type: 'close', streamId });
    if (this.#clients.size > 0) return;
    this.#worker.unref();
    this.#idleEnd.start();
  }

  send(message: ToWorker): void {
    if (!this.#gone) this.#worker.postMessage(message);
  }

  async close(): Promise<void> {
    this.#idleEnd.stop();
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
