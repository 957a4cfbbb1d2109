import { ConsolePage } from './console-page.ts';
import type { ServiceApi } from './service-process.ts';
import { sharedService } from './shared-service.ts';

/** A service as a team of its own has it, and pages of its console. */
export class ConsoleService implements AsyncDisposable {
  readonly service: ServiceApi;
  readonly #dispose: () => Promise<unknown>;

  /** Disposing it calls `dispose`. */
  constructor(service: ServiceApi, dispose: () => Promise<unknown>) {
    this.service = service;
    this.#dispose = dispose;
  }

  /** In the service that the run shares. */
  static async start(): Promise<ConsoleService> {
    const service = await sharedService();
    return new ConsoleService(service, async () => service[Symbol.asyncDispose]());
  }

  /** A page of the console, signed in. */
  async open(at: string): Promise<ConsolePage> {
    const view = await ConsolePage.open(this.service.url, { at });
    await view.signIn(this.service.key);
    return view;
  }

  /** Makes something through the API. */
  create<Made>(path: string, body: unknown): Promise<Made> {
    return this.service.json<Made>(path, { method: 'POST', body });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispose();
  }
}
