import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a connection that was handed to a worker which died is answered by another', async () => {
  const primary = spawn(process.execPath, [join(import.meta.dirname, 'two-workers.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(primary.stdout, 'data');
    const { port, pids } = JSON.parse(`${line}`) as { port: number; pids: [number, number] };
    const [frozen, alive] = pids;
    process.kill(frozen, 'SIGSTOP');
    const answers = Array.from({ length: 4 }, async () => {
      const response = await fetch(`http://127.0.0.1:${port}/`, {
        signal: AbortSignal.timeout(10_000),
      });
      return response.text();
    });
    // One of them waits for the frozen worker; the others show that connections have been handed out.
    await Promise.any(answers);
    process.kill(frozen, 'SIGKILL');
    expect(new Set(await Promise.all(answers))).toEqual(new Set([`${alive}`]));
  } finally {
    const exited = once(primary, 'exit');
    primary.kill();
    await exited;
  }
});
