import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsolePage } from './console-page.ts';
import { SERVICE_KEY, type ServiceProcess } from './service-process.ts';
import { startTestService } from './test-service.ts';

/** A service in a folder of its own, and pages of its console; disposing removes all of it. */
export class ConsoleService implements AsyncDisposable {
  readonly service: ServiceProcess;
  readonly #dir: string;

  private constructor(service: ServiceProcess, dir: string) {
    this.service = service;
    this.#dir = dir;
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<ConsoleService> {
    const dir = await mkdtemp(join(tmpdir(), 'console-service-'));
    return new ConsoleService(await startTestService(dir, env), dir);
  }

  /** A page of the console, signed in. */
  async open(at: string): Promise<ConsolePage> {
    const view = await ConsolePage.open(this.service.url, { at });
    await view.signIn(SERVICE_KEY);
    return view;
  }

  /** Makes something through the API. */
  create<Made>(path: string, body: unknown): Promise<Made> {
    return this.service.json<Made>(path, { method: 'POST', body });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.stop();
    await rm(this.#dir, { recursive: true });
  }
}
