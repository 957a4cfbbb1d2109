import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { again, type HostileTeam } from './hostile-team.ts';

/** One way to do harm. It goes on until the signal, and leaves nothing open. */
export type Attack = (team: HostileTeam, signal: AbortSignal) => Promise<void>;

const TOOLS = '/assistants/v1/tools';
const BASES = '/kb/v1/knowledge-bases';
const FILES = '/kb/v1/files';
const NUMBERS = '/assistants/v1/numbers';
const ASSISTANTS = '/assistants/v1/assistants';

const CHOKING = {
  name: 'choke',
  parameters: {
    properties: { items: { type: 'array', items: { type: 'string', pattern: '^(a+)+$' } } },
  },
};
const CHOKED = JSON.stringify({
  arguments: { items: Array.from({ length: 400 }, () => `${'a'.repeat(30)}!`) },
});
/** Loopback has many addresses: an attacker may have some. */
const ADDRESSES = ['127.0.0.66', '127.0.0.67', '127.0.0.68'];

const server = (team: HostileTeam, path: string) => ({ url: team.partners.url + path });

function tool(team: HostileTeam, fn: object, path = '/none'): Promise<string> {
  return team.make(TOOLS, { function: fn, server: server(team, path) });
}

function wide(n: number): object {
  const named = (i: number) => [`p${n}x${i}`, { type: 'string', pattern: `^(x${i}|y+)+$` }];
  const properties = Object.fromEntries(Array.from({ length: 600 }, (_, i) => named(i)));
  return { function: { name: `wide${n}`, parameters: { properties } } };
}

/** Questions of many words that the index has. */
const question = (n: number) =>
  Array.from({ length: 120 }, (_, i) => `word${(n * 31 + i * 7) % 900}`).join(' ');

async function knowledge(team: HostileTeam, signal: AbortSignal): Promise<string> {
  const id = await team.make(BASES, { title: 'Hostile' });
  const answer = (n: number) =>
    Array.from({ length: 150 }, (_, i) => `word${(n + i * i) % 900}`).join(' ');
  const entry = (n: number) => ({ question: `word${n} word${n + 1}?`, answer: answer(n) });
  const faq = Array.from({ length: 700 }, (_, n) => entry(n));
  await team.send('POST', `${BASES}/${id}/faq-template`, JSON.stringify({ faq }));
  await team.send('POST', `${BASES}/${id}/train`, '{}');
  for (let n = 0; n < 50 && !signal.aborted; n++) {
    const { status } = await team.send('GET', `${BASES}/${id}/status`);
    if (status === 'trained') break;
    await delay(200);
  }
  return id;
}

/** Of a socket that may break meanwhile. */
const closeOf = (socket: WebSocket) =>
  new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)));

async function idle(team: HostileTeam, path: string, signal: AbortSignal): Promise<void> {
  const url = `${team.url.replace(/^http/, 'ws')}${path}`;
  // A flood of connections is for a proxy in front to stop: these come one after the other, and stay.
  let opening = Promise.resolve();
  await again(100, signal, async (n) => {
    opening = opening.then(() => delay(5));
    await opening;
    if (signal.aborted) return;
    const localAddress = ADDRESSES[n % ADDRESSES.length] as string;
    const socket = new WebSocket(`${url}${n}`, { localAddress });
    socket.on('error', () => undefined);
    const end = () => socket.terminate();
    signal.addEventListener('abort', end, { once: true });
    socket.on('open', () => socket.pause());
    const code = await closeOf(socket);
    team.count(`closed ${code}`);
    signal.removeEventListener('abort', end);
    await delay(100);
  });
}

const WORST_FILES: readonly (readonly [string, string])[] = [
  ['comments.txt', `${'<!---->'.repeat(60)}x`],
  ['deep.json', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  ['wide.csv', `${'a,'.repeat(400_000)}\n${'1,'.repeat(400_000)}`],
  ['marks.md', '*_['.repeat(100_000)],
  ['deep.html', '<div>'.repeat(200_000)],
];

function worstJson(n: number): string {
  const size = 1_000_000;
  const bodies = [
    () => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
    () => `{"name":"x","hints":[${'"ab",'.repeat(size / 5)}"x"]}`,
    () => `{"name":"x","assistantSystemPrompt":"${'{{a}} '.repeat(16_000)}"}`,
    () => `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
    () => `{"name":"${'a'.repeat(size)}"}`,
  ];
  return (bodies[n % bodies.length] as () => string)();
}

const post = (path: string, length: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${length}\r\n\r\n`;

/** Sockets of a call of the team's own that say what nobody should. */
async function shout(team: HostileTeam, assistantId: string, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ direction: 'inbound', assistantId });
  const { webCall } = await team.send('POST', '/calls/v1/conversations/connect', body, signal);
  const { url } = (webCall ?? {}) as { readonly url?: string };
  if (url === undefined || signal.aborted) return;
  const socket = new WebSocket(url);
  socket.on('error', () => undefined);
  const end = () => socket.terminate();
  signal.addEventListener('abort', end, { once: true });
  const frames = [
    Buffer.alloc(60_000),
    JSON.stringify({ type: 'text', text: 'a '.repeat(900) }),
    JSON.stringify({ type: 'dtmf', digit: '1' }),
    JSON.stringify({ type: 'played', mark: 'x'.repeat(128) }),
    '['.repeat(4000),
  ];
  let n = 0;
  const timer = setInterval(() => {
    for (let i = 0; i < 8 && socket.readyState === socket.OPEN; i++)
      socket.send(frames[n++ % (n < 2000 ? 4 : 5)] as string);
  }, 20);
  socket.on('open', () => socket.send('{"type":"start","sampleRate":16000}'));
  const code = await closeOf(socket);
  clearInterval(timer);
  signal.removeEventListener('abort', end);
  team.count(`closed ${code}`);
}

export const ATTACKS: Readonly<Record<string, Attack>> = {
  async 'patterns of schemas'(team, signal) {
    const id = await tool(team, { ...CHOKING, name: 'patterned' });
    await again(8, signal, () => team.send('POST', `${TOOLS}/${id}/test`, CHOKED, signal));
  },
  async uniqueItems(team, signal) {
    const properties = { items: { type: 'array', uniqueItems: true } };
    const id = await tool(team, { name: 'unique', parameters: { properties } });
    const items = Array.from({ length: 9000 }, (_, i) => ({ a: i }));
    const body = JSON.stringify({ arguments: { items } });
    await again(8, signal, () => team.send('POST', `${TOOLS}/${id}/test`, body, signal));
  },
  'compiling schemas': (team, signal) =>
    again(4, signal, (n) => team.send('POST', TOOLS, JSON.stringify(wide(n)), signal)),
  async search(team, signal) {
    const id = await knowledge(team, signal);
    await again(10, signal, (n) => {
      const body = JSON.stringify({ query: question(n), limit: 50 });
      return team.send('POST', `${BASES}/${id}/search`, body, signal);
    });
  },
  uploads: (team, signal) =>
    again(6, signal, (n) => {
      const [name, content] = WORST_FILES[n % WORST_FILES.length] as readonly [string, string];
      const form = new FormData();
      form.set('file', new Blob([content]), name);
      return team.send('POST', FILES, form, signal);
    }),
  'web site': (team, signal) =>
    again(4, signal, async () => {
      const include = { url: `${team.partners.url}/pages/a`, recursive: true };
      const docs = [{ type: 'url', payload: { urls_to_include: [include] } }];
      const id = await team.make(BASES, { title: 'Site', docs });
      await team.send('POST', `${BASES}/${id}/train`, '{}', signal);
      await delay(2000);
      await team.send('DELETE', `${BASES}/${id}`);
    }),
  'idle sockets': async (team, signal) => {
    const paths = ['web/t', 'twilio/t', 'telnyx/t', 'asterisk?token=t', 'handset/t'];
    await Promise.all(paths.map((path) => idle(team, `/media/${path}`, signal)));
  },
  'endless bodies': (team, signal) =>
    again(200, signal, (n) => {
      const length = n % 2 === 0 ? 'content-length: 1000000' : 'transfer-encoding: chunked';
      const path = n % 3 === 0 ? ASSISTANTS : '/carriers/twilio/voice';
      return team.drip(post(path, length), signal);
    }),
  'large bodies': (team, signal) =>
    again(8, signal, (n) => team.send('POST', ASSISTANTS, worstJson(n), signal)),
  'events of Asterisk': (team, signal) =>
    again(3, signal, async (n) => {
      const number = `+1500556${String(n % 10_000).padStart(4, '0')}`;
      const ariUrl = `${team.partners.url}/ari`;
      // Each is another account, whose events are asked for anew.
      const credentials = { ariUrl, user: `u${n}`, password: 'p' };
      const id = await team.make(`${NUMBERS}/asterisk`, { number, credentials });
      await delay(1000);
      await team.send('DELETE', `${NUMBERS}/${id}`);
    }),
  'endless words of a model': (team, signal) => talk(team, '/endless', signal),
  'endless sentences of a model': (team, signal) => talk(team, '/dots', signal),
  async 'arguments of a model'(team, signal) {
    const assistantToolIds = [await tool(team, CHOKING)];
    await talk(team, '/tools', signal, { assistantToolIds });
  },
  async 'descriptions of tools'(team, signal) {
    const described = (n: number) => ({ name: `described${n}`, description: 'a.'.repeat(2500) });
    const made = Array.from({ length: 100 }, (_, n) => tool(team, described(n)));
    const id = await team.assistant({
      assistantProvider: 'offline',
      assistantToolIds: await Promise.all(made),
    });
    await again(4, signal, () => {
      const short = AbortSignal.any([signal, AbortSignal.timeout(1000)]);
      return team.call(id, ['Hello there.'], short);
    });
  },
  async 'answers of tools'(team, signal) {
    const paths = ['/huge', '/deep', '/drip', '/late'];
    const made = paths.map((path, n) => tool(team, { name: `answer${n}` }, path));
    const ids = await Promise.all(made);
    await again(80, signal, (n) => {
      const id = ids[n % ids.length];
      return team.send('POST', `${TOOLS}/${id}/test`, '{}', signal);
    });
  },
  async webhooks(team, signal) {
    const paths = ['/drip', '/huge', '/late'];
    const hooked = paths.map((path) => {
      const assistantServer = { enabled: true, ...server(team, path), timeoutSeconds: 20 };
      return team.assistant({ assistantProvider: 'offline', assistantServer });
    });
    const ids = await Promise.all(hooked);
    await again(12, signal, (n) => {
      const short = AbortSignal.any([signal, AbortSignal.timeout(1500)]);
      return team.call(ids[n % ids.length] as string, ['Hello there.'], short);
    });
  },
  async 'frames on a media socket'(team, signal) {
    const id = await team.assistant({ assistantProvider: 'offline' });
    await again(10, signal, () => shout(team, id, signal));
  },
  'log lines': (team, signal) =>
    again(16, signal, (n) => {
      if (n % 4 === 0) return team.send('GET', ASSISTANTS, undefined, signal, `wrong-key-${n}`);
      if (n % 4 === 1) return team.send('POST', '/carriers/twilio/voice', `{"n":${n}}`, signal);
      if (n % 4 === 2) return team.send('POST', ASSISTANTS, '{', signal);
      return team.send('GET', `/no/such/${n}`, undefined, signal);
    }),
  lists: async (team, signal) => {
    const paths = ['/calls/v1/conversations', TOOLS, ASSISTANTS, '/openapi.json', '/metrics'];
    await again(8, signal, (n) => team.send('GET', paths[n % 5] as string, undefined, signal));
  },
};

/** Ten calls whose model does what it will. */
async function talk(
  team: HostileTeam,
  path: string,
  signal: AbortSignal,
  fields: object = {},
): Promise<void> {
  const id = await team.assistant({
    assistantProvider: 'custom-llm',
    assistantLLMUrl: team.partners.url + path,
    assistantMaxTokens: 100_000,
    ...fields,
  });
  await again(10, signal, () => team.call(id, ['Tell me all about it, please.'], signal));
}
