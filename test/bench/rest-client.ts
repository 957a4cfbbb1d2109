import { Agent, request } from 'node:http';

/** Asks for one address over and over on some connections, and reports how many answers came a second. */
const [url = '', key = '', connections = '8', seconds = '3', total = '0'] = process.argv.slice(2);

const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const headers = { authorization: `Bearer ${key}` };

function ask(): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on('end', () =>
        answer.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`${url} answered ${answer.statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

let count = 0;
let bytes = 0;
const startedAt = performance.now();
const endAt = startedAt + Number(seconds) * 1000;
const most = Number(total);
const going = () => (most > 0 ? count < most : performance.now() < endAt);
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (going()) {
      count++;
      const received = await ask();
      bytes += received;
    }
  }),
);
agent.destroy();
const elapsedSeconds = (performance.now() - startedAt) / 1000;
console.log(JSON.stringify({ perSecond: count / elapsedSeconds, bytesEach: bytes / count }));
