import { serveCalls } from './call-server.ts';
import { holdCall } from './session.ts';
import { setupOf } from './setup.ts';

// All calls in one process: what a session itself costs.
const setup = await setupOf({ inJob: false });
let calls = 0;
const server = await serveCalls({
  connect: async () => `${server.url.replace('http', 'ws')}/call-${++calls}`,
  call: (socket, id) =>
    void holdCall(setup, socket, id).catch((error) => {
      console.error(`${id}: ${error.stack}`);
      socket.terminate();
    }),
});
// As a process of theirs does with them, which goes on.
process.on('unhandledRejection', () => {});
process.on('SIGTERM', async () => {
  await setup.inference?.close();
  process.exit();
});
process.on('disconnect', () => process.exit());
process.stdout.write(`listening at ${server.url}\n`);
