import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditEntrySchema } from '../../src/contract/audit.ts';
import { CREDENTIALS, numberImportSchema } from '../../src/contract/number.ts';
import { PricesSchema } from '../../src/contract/prices.ts';
import { TOOL_EXAMPLE } from '../../src/contract/tool-server.ts';
import { signWebhook } from '../../src/lib/sign-webhook.ts';
import { parseTests } from '../../src/testing/parse-tests.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { docSamples } from '../support/doc-samples.ts';
import { OPERATOR_KEY } from '../support/service-process.ts';
import { sharedService } from '../support/shared-service.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = [
  '../README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  ),
].sort();
const LANGUAGES = (page: string) => {
  const fences = readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(/^```(\w+)$/gm);
  return [...new Set([...fences].map(([, language = '']) => language))];
};
const hasPython = (() => {
  try {
    execFileSync('python3', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

let service: Awaited<ReturnType<typeof sharedService>>;
let assistantId: string;
let folder: string;
beforeAll(async () => {
  service = await sharedService();
  const [assistant] = await service.json<{ _id: string }[]>('/assistants/v1/assistants');
  assistantId = assistant?._id ?? '';
  folder = await mkdtemp(join(tmpdir(), 'parley-samples-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const filled = (sample: string, numberId = '') =>
  sample
    .replaceAll(/(?:http:\/\/)?localhost:8080|https:\/\/parley\.example\.com/g, service.url)
    .replaceAll('<id>', assistantId)
    .replaceAll('<number id>', numberId);

const post = (path: string, sample: string) =>
  service.json<Record<string, unknown>>(path, { method: 'POST', body: JSON.parse(sample) });

/** Carriers that are not on this machine: the request is checked, not sent. */
const AWAY = /\/numbers\/(twilio|telnyx|asterisk) /;

/** Runs the request of a sample, and says how it was answered. */
async function curl(sample: string): Promise<{ readonly status: number; readonly body: string }> {
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euc', `${filled(sample).trimEnd()} --max-time 60 --write-out '\\n%{http_code}'`],
    { env: { ...bareEnvironment, API_KEY: service.key, ADMIN_KEY: OPERATOR_KEY } },
  );
  const at = stdout.lastIndexOf('\n');
  return { body: stdout.slice(0, at), status: Number(stdout.slice(at)) };
}

/** Commands that install, start or need a machine of their own: they are read, not run. */
async function readCommands(sample: string): Promise<void> {
  await promisify(execFile)('bash', ['-nc', sample.replaceAll(/<[\w ]+>/g, 'something')]);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const [, script = ''] of sample.matchAll(/npm run ([\w:-]+)/g))
    expect(Object.keys(scripts)).toContain(script);
  for (const [file] of sample.matchAll(/\bfixtures\/[\w./-]+/g))
    expect(existsSync(join(ROOT, file)), file).toBe(true);
  for (const [, profile] of sample.matchAll(/--profile (\w+)/g))
    expect(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')).toContain(profile);
}

interface Serving extends AsyncDisposable {
  readonly url: string;
  /** The next line it writes. */
  readonly line: () => Promise<string>;
}

/** Starts a sample that is a server. */
async function serve(
  language: 'ts' | 'python',
  sample: string,
  secret: Readonly<Record<string, string>>,
): Promise<Serving> {
  const file = join(folder, `server.${language === 'ts' ? 'ts' : 'py'}`);
  await writeFile(file, sample);
  const child = spawn(language === 'ts' ? process.execPath : 'python3', [file], {
    env: { ...bareEnvironment, PORT: '0', ...secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  let said = '';
  while (!/port['"]?: (\d+)/.test(said)) said += await line();
  return {
    url: `http://127.0.0.1:${/port['"]?: (\d+)/.exec(said)?.[1]}/`,
    line,
    async [Symbol.asyncDispose]() {
      child.kill();
      await new Promise((resolve) => child.once('close', resolve));
    },
  };
}

const SECRET = TOOL_EXAMPLE.secret;

/** What a server answers to a request that was signed with this secret. */
async function send(url: string, secret: string): Promise<number> {
  const body = JSON.stringify({ message: { type: 'status-update', status: 'ongoing' } });
  const headers = signWebhook({ id: 'x', timestampSeconds: Date.now() / 1000, body, secret });
  return (await fetch(url, { method: 'POST', headers: { ...headers }, body })).status;
}

const webhookServer = async (language: 'ts' | 'python', sample: string) => {
  await using server = await serve(language, sample, { WEBHOOK_SECRET: SECRET });
  expect(await send(server.url, SECRET)).toBe(204);
  expect(await server.line()).toBe('status-update');
  expect(await send(server.url, 'whsec_AAAA')).toBe(401);
};

const toolServer = async (language: 'ts' | 'python', sample: string) => {
  await using server = await serve(language, sample, { TOOL_SECRET: SECRET });
  const tool = JSON.parse(docSamples('tools.md', 'json')[0] ?? '');
  tool.function.name = `lookUpOrder_${language}`;
  tool.server = { ...tool.server, url: server.url };
  const { _id } = await post('/assistants/v1/tools', JSON.stringify(tool));
  const trial = (number: string) =>
    post(`/assistants/v1/tools/${_id}/test`, JSON.stringify({ arguments: { number } }));
  expect(await trial('4711')).toMatchObject({ ok: true, result: '{"status":"on its way"}' });
  expect(await trial('1')).toMatchObject({ ok: false, error: 'There is no such order.' });
  expect(await send(server.url, 'whsec_AAAA')).toBe(401);
};

const assistants = async (sample: string) => {
  const body = JSON.parse(filled(sample));
  const path =
    'direction' in body ? '/calls/v1/conversations/connect' : '/assistants/v1/assistants';
  // A number to call from.
  if ('phoneNumberId' in body) {
    await curl(docSamples('carriers.md', 'sh')[2] ?? '');
    const [number] = await service.json<{ _id: string }[]>('/assistants/v1/numbers');
    body.phoneNumberId = number?._id;
  }
  expect(await post(path, JSON.stringify(body))).not.toHaveProperty('warnings');
};

/** What an agent does with its file: connects, and lists the tools. */
const agentConfig = async (sample: string) => {
  const { parley } = JSON.parse(filled(sample).replace(/\$\{API_KEY\}/, service.key)).mcpServers;
  expect(parley.type).toBe('http');
  const client = new Client({ name: 'agent', version: '1' });
  const { headers } = parley;
  await client.connect(
    new StreamableHTTPClientTransport(new URL(parley.url), { requestInit: { headers } }),
  );
  const { tools } = await client.listTools();
  await client.close();
  const named = readFileSync(join(ROOT, 'docs/mcp.md'), 'utf8').matchAll(/`([a-z]+[A-Z]\w+)`/g);
  const rest = ['isError', 'phoneNumberId', 'idempotencyKey'];
  expect(new Set([...named].map(([, name]) => name))).toEqual(
    new Set([...tools.map(({ name }) => name), ...rest]),
  );
};

const agentProgram = async (sample: string) => {
  const file = join(folder, 'agent.ts');
  await writeFile(file, sample);
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: { ...bareEnvironment, PARLEY_URL: service.url, API_KEY: service.key },
  });
  expect(stdout).toContain('Front desk');
};

type Run = (sample: string, index: number) => Promise<unknown>;

/** How the samples of a page are run, by page and language. */
const RUNS: Readonly<Record<string, Run>> = {
  '../README.md json': async (sample) => PricesSchema.parse(JSON.parse(sample)),
  'assistants.md json': assistants,
  'audit.md json': async (sample) => AuditEntrySchema.parse(JSON.parse(sample)),
  'carriers.md json': assistants,
  'mcp.md json': agentConfig,
  'mcp.md ts': agentProgram,
  'prompts.md json': assistants,
  'testing-assistants.md yaml': async (sample, index) => {
    const turns = sample.startsWith('persona:') ? '' : 'turns: [say: Hello]\n';
    const part = `${turns}${sample}`.replaceAll(/^/gm, '    ');
    const parsed = parseTests(index === 0 ? sample : `tests:\n  - name: A part\n${part}`);
    expect(parsed).toMatchObject({ ok: true });
  },
  'tools.md json': async (sample) => {
    const { _id } = await post('/assistants/v1/tools', sample);
    expect(_id).toBeTypeOf('string');
  },
  'tools.md ts': (sample) => toolServer('ts', sample),
  'tools.md python': (sample) => toolServer('python', sample),
  'webhooks.md ts': (sample) => webhookServer('ts', sample),
  'webhooks.md python': (sample) => webhookServer('python', sample),
  'widget.md css': async (sample) => {
    const style = readFileSync(join(ROOT, 'src/widget/style.ts'), 'utf8');
    const names = sample.match(/--parley-[\w-]+/g) ?? [];
    expect(names.filter((name) => !style.includes(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(0);
  },
};

const commands: Run = async (sample) => {
  if (!sample.startsWith('curl')) return readCommands(sample);
  const [, carrier] = AWAY.exec(sample) ?? [];
  if (carrier !== undefined) {
    const credentials = CREDENTIALS[carrier as keyof typeof CREDENTIALS];
    const [, sent = ''] = /-d '(.*)'/s.exec(sample) ?? [];
    numberImportSchema('Import', credentials).parse(JSON.parse(sent));
    return;
  }
  const { status, body } = await curl(sample);
  expect([200, 201], body).toContain(status);
};

/** Samples that a test of their own runs, which names the page. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'client.md ts': 'packaging/libraries.test.ts',
  'rtvi.md html': 'gateway/rtvi-page.long.test.ts',
  'testing-assistants.md json': 'cli/assistant-test.test.ts',
  'web.md html': 'packaging/libraries.test.ts',
  'web.md js': 'support/library-folder.ts',
  'widget.md html': 'widget/parley-call.test.ts',
};

const SAMPLES = PAGES.flatMap((page) =>
  LANGUAGES(page).flatMap((language) =>
    docSamples(page, language).map((sample, index) => ({
      kind: `${page} ${language}`,
      number: index + 1,
      sample,
    })),
  ),
);

test.each(Object.entries(ELSEWHERE))('%s is run by %s', (kind, file) => {
  expect(SAMPLES.map((sample) => sample.kind)).toContain(kind);
  expect(readFileSync(join(ROOT, 'test', file), 'utf8')).toContain(kind.split(' ')[0]);
});

describe('the samples of the documentation', () => {
  for (const { kind, number, sample } of SAMPLES) {
    if (kind in ELSEWHERE) continue;
    const isSkipped = kind.endsWith(' python') && !hasPython;
    const why = isSkipped ? ' (skipped: there is no python3)' : '';
    test.skipIf(isSkipped)(`${kind} ${number} does what it says${why}`, async () => {
      const run = kind.endsWith(' sh') ? commands : RUNS[kind];
      expect(run, 'nothing runs this sample').toBeDefined();
      await run?.(sample, number - 1);
    });
  }
});
