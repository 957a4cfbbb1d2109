import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** The servers that a hostile team names: all on one port, told apart by their paths. */
export interface HostilePartners {
  readonly url: string;
  /** Requests by path, since this was last asked. */
  takeCounts(): Readonly<Record<string, number>>;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const PIECE = 2048;
/** Events that are sent at once. */
const VOLLEY = 1000;
const ARGUMENTS = JSON.stringify({
  items: Array.from({ length: 400 }, () => `${'a'.repeat(30)}!`),
});

const event = (choice: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`;

/** Writes as much as the other side takes, until it closes. */
function flood(response: ServerResponse, piece: string): void {
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}

function drip(response: ServerResponse, piece: string, everyMs: number): void {
  response.flushHeaders();
  const timer = setInterval(() => response.write(piece), everyMs);
  response.on('close', () => clearInterval(timer));
}

const ANSWERS: Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse) => void>
> = {
  /** A model that never ends its word. */
  '/endless/chat/completions': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    flood(response, event({ delta: { content: 'a'.repeat(PIECE) } }));
  },
  /** A model whose sentences never end, in pieces that each could be one. */
  '/dots/chat/completions': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    flood(response, event({ delta: { content: '. a! '.repeat(400) } }));
  },
  /** A model that calls tools with what their patterns choke on. */
  '/tools/chat/completions': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const call = { index: 0, id: 't', type: 'function' };
    const tool = { ...call, function: { name: 'choke', arguments: ARGUMENTS } };
    response.write(event({ delta: { tool_calls: [tool] } }));
    response.end(`${event({ delta: {}, finish_reason: 'tool_calls' })}data: [DONE]\n\n`);
  },
  '/huge': (_, response) => {
    response.writeHead(200, JSON_TYPE);
    flood(response, `"${'x'.repeat(65_536)}",`);
  },
  /** Within the size that is taken. */
  '/deep': (_, response) => {
    response.writeHead(200, JSON_TYPE).end(`${'['.repeat(60_000)}${']'.repeat(60_000)}`);
  },
  '/drip': (_, response) => drip(response.writeHead(200, JSON_TYPE), ' ', 200),
  '/late': () => undefined,
  '/pages': ({ url }, response) => {
    const links = Array.from({ length: 400 }, (_, i) => `<a href="${url}x${i}">n</a>`);
    const text = `<p>${'word '.repeat(20_000)}</p>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(`${links.join('')}${text}`);
  },
  '/robots.txt': (_, response) => {
    const rules = 'Disallow: /*a*a*a*a*b$\n'.repeat(4999);
    response.writeHead(200, { 'content-type': 'text/plain' }).end(`User-agent: *\n${rules}`);
  },
};

export async function startHostilePartners(): Promise<HostilePartners> {
  let counts: Record<string, number> = {};
  const http = createServer((request, response) => {
    request.resume();
    const path = (request.url ?? '').split('?')[0] as string;
    const name = /^\/(?:pages|ari)/.exec(path)?.[0] ?? path;
    counts[name] = (counts[name] ?? 0) + 1;
    const answer = ANSWERS[name];
    if (answer) answer(request, response);
    else response.writeHead(204).end();
  });
  // Asterisk's events: each is a call for a number that nobody has.
  const events = new WebSocketServer({ server: http });
  events.on('connection', (socket) => {
    counts.ari = (counts.ari ?? 0) + 1;
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      const name = `ari closed ${code}`;
      counts[name] = (counts[name] ?? 0) + 1;
    });
    let n = 0;
    const volley = () => {
      if (socket.readyState !== socket.OPEN) return;
      for (let i = 0; i < VOLLEY; i++) {
        const channel = {
          id: `x.${n}`,
          dialplan: { exten: `+1999${n++}` },
          caller: { number: '+1' },
        };
        socket.send(JSON.stringify({ type: 'StasisStart', args: ['inbound'], channel }));
      }
      setTimeout(volley, 5);
    };
    volley();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    takeCounts() {
      const taken = counts;
      counts = {};
      return taken;
    },
  };
}
