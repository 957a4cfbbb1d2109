import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** What a test run shares, started once when the first test worker asks for it by name. */
export interface OnDemand {
  /** Unix socket on which workers ask. */
  readonly path: string;
  /** Waits for what is starting, then stops taking requests. */
  close(): Promise<void>;
}

/** Serves `start`'s answers as JSON; each name is started once per run. */
export async function serveOnDemand<Name extends string>(
  start: (name: Name) => Promise<unknown>,
): Promise<OnDemand> {
  const started = new Map<Name, Promise<unknown>>();
  const serve = (socket: Socket) => {
    createInterface({ input: socket }).on('line', (line) => {
      const name = line as Name;
      const answer = started.get(name) ?? start(name);
      started.set(name, answer);
      answer.then(
        (value) => socket.end(JSON.stringify(value)),
        (error: Error) => socket.end(JSON.stringify({ error: error.message })),
      );
    });
    socket.on('error', () => undefined);
  };
  const directory = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const path = join(directory, 'socket');
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    close: async () => {
      server.close();
      await Promise.allSettled(started.values());
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Asks from a test worker; rejects with the reason when it could not be started. */
export async function askOnDemand<Answer>(path: string, name: string): Promise<Answer> {
  const socket = connect(path);
  socket.write(`${name}\n`);
  const answer = JSON.parse(await text(socket)) as Answer & { error?: string };
  if (answer.error) throw new Error(`${name} did not start: ${answer.error}`);
  return answer;
}
