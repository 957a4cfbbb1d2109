import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { serveCalls } from './call-server.ts';
import { createJobPool, loadLiveKit, startInference } from './packages.ts';
import { peerEnv } from './setup.ts';

// As they deploy: a worker with a process for each call. Only the server of rooms that hands out the jobs is missing.
const { PEER_FOLDER } = peerEnv();
const livekit = await loadLiveKit(PEER_FOLDER);
const inference = await startInference(PEER_FOLDER, livekit);

const JOB_STARTED_MS = 60_000;
const waiting = new Map<string, (url: string) => void>();
const jobs = createServer(async (request, response) => {
  const { id, url } = JSON.parse(await text(request)) as { id: string; url: string };
  waiting.get(id)?.(url);
  waiting.delete(id);
  response.end();
});
jobs.listen(0, '127.0.0.1');
await once(jobs, 'listening');
process.env.PEER_WORKER = `http://127.0.0.1:${(jobs.address() as AddressInfo).port}`;

const { pool, jobOf } = await createJobPool(PEER_FOLDER, {
  agent: join(import.meta.dirname, 'job.ts'),
  inferenceExecutor: inference,
  // Their default in production.
  numIdleProcesses: Math.min(availableParallelism(), 4),
});
pool.start();
let calls = 0;
const server = await serveCalls({
  async connect() {
    const id = `call-${++calls}`;
    const address = Promise.withResolvers<string>();
    waiting.set(id, address.resolve);
    await pool.launchJob({
      job: jobOf(id),
      acceptArguments: { name: '', identity: 'agent', metadata: '' },
      url: '',
      token: '',
      workerId: 'bench',
      fakeJob: true,
    });
    const timer = setTimeout(
      () => address.reject(new Error('a job did not start')),
      JOB_STARTED_MS,
    );
    return address.promise.finally(() => clearTimeout(timer));
  },
  call: (socket) => socket.terminate(),
});
process.on('SIGTERM', async () => {
  await pool.close();
  await inference.close();
  process.exit();
});
process.on('disconnect', () => process.exit());
process.stdout.write(`listening at ${server.url}\n`);
