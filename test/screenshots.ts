import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ConsolePage } from './support/console-page.ts';
import { ConsoleService } from './support/console-service.ts';
import { startWalkVendor, WALK, walkEnvironment } from './support/first-call-walk.ts';
import { furnish, furnishOperator } from './support/furnish-console.ts';
import { startMcpServer } from './support/mcp-server.ts';
import { readRecording } from './support/recordings.ts';
import { dial } from './support/service-call.ts';
import { OPERATOR_KEY, SERVICE_KEY, ServiceProcess } from './support/service-process.ts';

// Photographs every page of the console in both themes, with a service of its own and calls that were really held.

const FOLDER = resolve(process.argv[2] ?? join(import.meta.dirname, '../docs/screenshots'));
const QUESTIONS = ['ask-what-you-can-do.wav', 'what-your-country-can-do.wav'];
const RATE_HZ = 16_000;
/** For what is drawn after it was loaded: waveforms, charts. */
const SETTLE_MS = 1000;
/** Colours change softly. */
const FADE_MS = 400;

/** A call with two questions, and an answer that is interrupted. */
async function holdCall({ service }: ConsoleService, assistantId: string): Promise<string> {
  const { id, caller, said } = await dial(service, { assistantId });
  const answers = async (count: number): Promise<void> => {
    const deadline = performance.now() + 30_000;
    while (said.filter((line) => line.startsWith('assistant')).length < count) {
      if (performance.now() > deadline) throw new Error(`no answer came: ${said.join(' | ')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await answers(1);
  for (const [index, question] of QUESTIONS.entries()) {
    await caller.say(readRecording(question, RATE_HZ)).spoken;
    await answers(index + 2);
  }
  caller.hangup();
  await caller.ended;
  return id;
}

const dir = await mkdtemp(join(tmpdir(), 'screenshots-'));
const service = await ServiceProcess.start(dir, {
  ADMIN_KEY: OPERATOR_KEY,
  ALLOW_PRIVATE_TARGETS: 'true',
});
await using host = new ConsoleService(service, async () => {
  await service.stop();
  await rm(dir, { recursive: true });
});
const [assistant] = await host.service.json<{ _id: string }[]>('/assistants/v1/assistants');
const { knowledge_bases: bases } = await host.service.json<{
  knowledge_bases: { id: string }[];
}>('/kb/v1/knowledge-bases');
if (!assistant || !bases[0]) throw new Error('the first start made no sample');
await using tools = await startMcpServer((mcp) => {
  const tool = (name: string, description: string, inputSchema: z.ZodRawShape) =>
    mcp.registerTool(name, { description, inputSchema }, async () => ({ content: [] }));
  tool('find_table', 'Finds a free table.', { seats: z.number().int().describe('Guests.') });
  tool('book_table', 'Books a table.', { day: z.string(), seats: z.number().int() });
  tool('cancel_table', 'Cancels a booking.', { reference: z.string() });
});
const made = await furnish(host, { assistantId: assistant._id, mcpUrl: tools.url });
await furnishOperator(service.url, OPERATOR_KEY);
const callIds = await Promise.all([0, 1].map(() => holdCall(host, assistant._id)));

const PAGES = {
  overview: '/',
  assistants: '/assistants',
  'new-assistant': '/assistants/new',
  assistant: `/assistants/${assistant._id}`,
  versions: `/assistants/${assistant._id}/versions`,
  calls: '/calls',
  call: `/calls/${callIds[0]}`,
  'call-latency': `/calls/${callIds[0]}?tab=times`,
  'knowledge-bases': '/knowledge-bases',
  'knowledge-base': `/knowledge-bases/${bases[0].id}`,
  tools: '/tools',
  tool: `/tools/${made.toolId}`,
  'server-tools': `/tools/${made.serverToolId}`,
  tests: '/tests',
  'test-suite': `/tests/${made.suiteId}`,
  calendars: '/calendars',
  calendar: `/calendars/${made.calendarId}`,
  'wait-lists': '/wait-lists',
  'wait-list': `/wait-lists/${made.waitListId}`,
  numbers: '/numbers',
  number: `/numbers/${made.numberId}`,
  vendors: '/vendors',
  health: '/health',
  privacy: '/privacy',
  audit: '/audit',
  'api-keys': '/api-keys',
  'public-keys': '/public-keys',
  people: '/people',
};

/** What a picture is of, where it is further down on its page. */
const SUBJECTS: Readonly<Record<string, string>> = {
  'server-tools': '[id="field-mcpTools"]',
  'test-suite': '#results',
};

/** Somebody whose link was used, and somebody whose was not. */
const links: string[] = [];
for (const [email, role] of [
  ['ada@example.com', 'admin'],
  ['grace@example.com', 'reviewer'],
]) {
  const body = { email, role };
  const path = '/auth/v1/invitations';
  links.push((await host.service.json<{ url: string }>(path, { method: 'POST', body })).url);
}

await mkdir(FOLDER, { recursive: true });

async function photograph(view: ConsolePage, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await view.page.emulateMedia({ colorScheme });
    await view.page.waitForTimeout(FADE_MS);
    await view.page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`) });
  }
}

{
  const at = links[0]?.split('#')[1] ?? '';
  await using view = await ConsolePage.open(host.service.url, { at, shared: false });
  await view.page.setViewportSize({ width: 1280, height: 800 });
  await view.page.waitForSelector('#name');
  await photograph(view, 'join');
  await view.page.fill('#name', 'Ada');
  await view.page.fill('#password', 'a good long password');
  await view.page.press('#password', 'Enter');
  await view.page.click('#who a');
  await view.untilText('#sessions .badge', 'this one');
  await view.page.waitForTimeout(SETTLE_MS);
  await photograph(view, 'account');
}

{
  await using view = await ConsolePage.open(service.url, { at: '/', shared: false });
  await view.signIn(SERVICE_KEY);
  await view.page.setViewportSize({ width: 1280, height: 800 });
  for (const [name, at] of Object.entries(PAGES)) {
    await view.page.goto(`${host.service.url}/console/#${at}`);
    await view.page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await view.page.waitForTimeout(SETTLE_MS);
    const subject = SUBJECTS[name];
    if (subject) await view.page.locator(subject).scrollIntoViewIfNeeded();
    await photograph(view, name);
  }
}

// The operator, who is no member of a team.
{
  await using view = await ConsolePage.open(service.url, { at: '/operator', shared: false });
  await view.page.setViewportSize({ width: 1280, height: 800 });
  await view.page.fill('#key', OPERATOR_KEY);
  await view.page.press('#key', 'Enter');
  await view.untilText('#teams tbody tr', 'Hotel Boreal');
  await view.page.waitForTimeout(SETTLE_MS);
  await photograph(view, 'operator');
}

// A wall with two live calls.
{
  const calls = await Promise.all([0, 1].map(() => dial(service, { assistantId: assistant._id })));
  await using view = await ConsolePage.open(service.url, { at: '/live', shared: false });
  await view.signIn(SERVICE_KEY);
  await view.page.setViewportSize({ width: 1280, height: 800 });
  await view.page.goto(`${service.url}/console/#/live`);
  await view.page.waitForTimeout(3 * SETTLE_MS);
  await photograph(view, 'live');
  for (const { caller } of calls) caller.hangup();
  await Promise.all(calls.map(({ caller }) => caller.ended));
}

// The newcomer's first call, in a service of its own.
{
  await using vendor = await startWalkVendor();
  const empty = await mkdtemp(join(tmpdir(), 'screenshots-first-call-'));
  const fresh = await ServiceProcess.start(empty, walkEnvironment(vendor));
  try {
    await using view = await ConsolePage.open(fresh.url, { shared: false });
    for (const [index, { act }] of WALK.entries()) {
      await act(view, SERVICE_KEY);
      await view.page.waitForTimeout(FADE_MS);
      const path = join(FOLDER, `first-call-${index + 1}.jpg`);
      await view.page.screenshot({ path, type: 'jpeg', quality: 70 });
    }
  } finally {
    await fresh.stop();
    await rm(empty, { recursive: true });
  }
}

// A call in the browser, with a microphone that speaks into the second answer.
await using talk = await ConsolePage.open(host.service.url, {
  at: '/talk',
  says: [7000, QUESTIONS[0] ?? '', 5500, QUESTIONS[1] ?? '', 1800, 'seven-of-clubs.wav'],
});
await talk.signIn(SERVICE_KEY);
await talk.page.setViewportSize({ width: 1280, height: 800 });
await talk.page.click('#call');
await talk.page.waitForTimeout(24_000);
await photograph(talk, 'talk');
await talk.page.click('#call');
