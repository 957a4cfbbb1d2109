import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserServer, chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { CHROMIUM_FLAGS, headlessPath } from './chromium-flags.ts';
import { writeMicrophoneWav } from './microphone-wav.ts';
import { serveOnDemand } from './on-demand.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Socket of the process that starts the test run's browser. */
    browser: string;
  }
}

/** Starts one browser when the first test asks for it; each test opens a context of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running: BrowserServer[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'parley-chromium-'));
  const browser = await serveOnDemand(async () => {
    const silence = join(folder, 'silence.wav');
    await writeMicrophoneWav(silence, [60_000]);
    const server = await chromium.launchServer({
      executablePath: headlessPath ?? '',
      args: [
        ...CHROMIUM_FLAGS,
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-audio-capture=${silence}`,
      ],
    });
    running.push(server);
    return { endpoint: server.wsEndpoint() };
  });
  project.provide('browser', browser.path);
  return async () => {
    await browser.close();
    await Promise.all(running.map((server) => server.close()));
    await rm(folder, { recursive: true, force: true });
  };
}
