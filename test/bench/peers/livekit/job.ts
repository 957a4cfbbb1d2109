import { serveCalls } from './call-server.ts';
import { holdCall } from './session.ts';
import { setupOf } from './setup.ts';

// A process of a worker of theirs, which holds one call: what it prewarms is theirs, a caller's socket is what a room is
// elsewhere.
const setup = await setupOf({ inJob: true });

export default setup.livekit.agents.defineAgent({
  async entry(context) {
    const { id } = context.job;
    const server = await serveCalls({
      connect: () => Promise.reject(new Error('a job has one call')),
      call: (socket) =>
        void holdCall(setup, socket, id)
          .catch((error) => console.error(`${id}: ${error.stack}`))
          .finally(() => {
            server.close();
            context.shutdown('the caller has hung up');
          }),
    });
    const url = `${server.url.replace('http', 'ws')}/${id}`;
    const body = JSON.stringify({ id, url });
    const signal = AbortSignal.timeout(10_000);
    await fetch(String(process.env.PEER_WORKER), { method: 'PUT', body, signal });
  },
});
