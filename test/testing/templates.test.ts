import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestRun } from '../../src/client/api.generated.ts';
import { Client } from '../../src/client/client.ts';
import { TEMPLATES } from '../../src/console/assistants/templates/all-templates.ts';
import { createFromTemplate } from '../../src/console/assistants/templates/create-from-template.ts';
import type { AssistantTemplate } from '../../src/console/assistants/templates/template.ts';
import { rowsOf } from '../support/effort.ts';
import { sharedService } from '../support/shared-service.ts';

const SUITES = resolve(import.meta.dirname, '../../fixtures/assistant-tests/templates');
const RUN_MS = 60_000;

/** What a user writes into the blank template. */
const OWN = {
  name: 'Library',
  welcomeMessage: 'This is the town library.',
  assistantSystemPrompt: [
    'You answer for the town library, which is open from ten to eight.',
    'A card is free. Books may be kept for three weeks. Never recommend a book.',
    'The caller is {{caller}}. There is nothing else that you help with.',
  ].join('\n'),
};

interface Break {
  readonly template: string;
  readonly broken: string;
  readonly change: (template: AssistantTemplate) => AssistantTemplate;
  readonly fails: readonly string[];
}

/** Takes a sentence out of the prompt. */
const without =
  (sentence: string) =>
  (template: AssistantTemplate): AssistantTemplate => {
    const prompt = template.assistant.assistantSystemPrompt ?? '';
    if (!prompt.includes(sentence)) throw new Error(`the prompt does not have “${sentence}”`);
    const assistantSystemPrompt = prompt.replace(sentence, '');
    return { ...template, assistant: { ...template.assistant, assistantSystemPrompt } };
  };

const ignorant = ({ knowledge: _, ...template }: AssistantTemplate): AssistantTemplate => template;
/** With its knowledge as the only tool. */
const endless = (template: AssistantTemplate): AssistantTemplate => {
  const { endCallMessage: _, ...assistant } = template.assistant;
  return {
    ...template,
    assistant: { ...assistant, assistantPredefinedTools: { knowledgeBase: true } },
  };
};

const BREAKS: readonly Break[] = [
  {
    template: 'clinic-desk',
    broken: 'a prompt that may give advice',
    change: without('Never give medical advice.'),
    fails: ['No medical advice, 1'],
  },
  {
    template: 'clinic-desk',
    broken: 'no knowledge',
    change: ignorant,
    fails: [
      'Opening hours, 1',
      'The way there, 1',
      'Parking, 1',
      'A repeat prescription, 1',
      'The first visit, 1',
      'Insurance, 1',
      'What is not known is not made up, 1',
      'Somebody who talks over the answer is heard, 2',
    ],
  },
  {
    template: 'appointment-booking',
    broken: 'a prompt that does not repeat',
    change: without('repeat day, time and name, and book after a yes.'),
    fails: [
      'All is repeated before the booking, 1',
      'A yes books once, call',
      'A no books nothing, call',
      'A customer from the first word to the last, call',
    ],
  },
  {
    template: 'after-hours',
    broken: 'a prompt that may promise',
    change: without('Promise nothing but that somebody calls back on the next working day.'),
    fails: [
      'No more is promised than a call on the next working day, 1',
      'Nobody is promised to come, 1',
      'No discount is promised, 1',
      'A message from the first word to the last, call',
    ],
  },
  {
    template: 'survey',
    broken: 'no tool to end the call',
    change: endless,
    fails: [
      'The third answer ends the call, call',
      'Who has no time is let go, call',
      'Who is not interested is let go, call',
      'Who has enough in the middle is let go, call',
      'A survey from the first word to the last, call',
    ],
  },
  {
    template: 'order-status',
    broken: 'no tool to look orders up',
    change: ({ tools: _, ...template }) => template,
    fails: [
      'The number is repeated digit by digit, 1',
      'An order is looked up by its number, 1',
      'Another order has its own answer, 1',
      'An order that does not exist, 1',
      'A shop that is slow is waited for, 1',
      'Keys are as good as words, 2',
      'Two orders in one call, 1',
      'Two orders in one call, 2',
      'Two orders in one call, call',
      'A second number after one that was wrong, 2',
      'A customer from the first word to the last, call',
    ],
  },
  {
    template: 'blank',
    broken: 'no prompt',
    change: (template) => template,
    fails: [
      'The prompt is followed, 1',
      'What the prompt says about money, 1',
      'What the prompt says about time, 1',
      'What the prompt forbids, 1',
      'A variable stands in the prompt, 1',
      'Two questions in one call, 1',
      'Two questions in one call, 2',
      'The same question has the same answer, 1',
      'The same question has the same answer, 2',
      'Somebody who talks over a long answer stops it, 2',
      'Somebody who talks over the welcome is heard, 1',
      'A caller who thinks for a while is still heard, 2',
      'What is not its business, 1',
      'A caller from the first word to the last, call',
    ],
  },
];

/** The first two, and in the long run the others. */
const tried = <Row>(rows: readonly Row[]) =>
  rowsOf({ usual: rows.slice(0, 2), long: rows.slice(2) });

describe('the templates of the console', () => {
  let service: Awaited<ReturnType<typeof sharedService>>;
  let client: Client;
  beforeAll(async () => {
    service = await sharedService();
    client = new Client({ baseUrl: `${service.url}/`, apiKey: service.key });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  /** Creates the template's assistant as the console does, once its knowledge can be asked. */
  async function create(template: AssistantTemplate, own: typeof OWN = OWN): Promise<string> {
    const { name, welcomeMessage = '', assistantSystemPrompt = '' } = template.assistant;
    const fields = template.id === 'blank' ? own : { name, welcomeMessage, assistantSystemPrompt };
    const servers = { getOrder: 'https://shop.example/orders' };
    // Tools have their names once in a team.
    for (const { _id } of await client.call('listTools', {}))
      await client.call('deleteTool', { path: { id: _id } }).catch(() => undefined);
    const made = await createFromTemplate(client, { template, fields, servers });
    for (const id of made.assistantKnowledgeBaseIds)
      await expect
        .poll(async () => (await client.call('getKnowledgeBase', { path: { id } })).status, {
          timeout: RUN_MS,
        })
        .toBe('trained');
    return made._id;
  }

  async function run(assistantId: string, suite: string): Promise<TestRun> {
    const source = await readFile(join(SUITES, `${suite}.yaml`), 'utf8');
    const body = { assistantId, source, seed: 7, budget: {} };
    const { id } = await client.call('startTestRun', { body });
    const finished = () => client.call('getTestRun', { path: { id } });
    await expect.poll(async () => (await finished()).status, { timeout: RUN_MS }).toBe('finished');
    return finished();
  }

  const wrong = ({ results }: TestRun) =>
    results.flatMap(({ name, status, reason, conditions, notes }) =>
      status === 'passed' && notes.length === 0
        ? []
        : [{ name, reason, notes, unmet: conditions.filter(({ verdict }) => verdict !== 'met') }],
    );

  /** The places where conditions are not met: test and turn. */
  const places = ({ results }: TestRun) =>
    results.flatMap(({ name, conditions }) =>
      conditions.flatMap(({ turn = 'call', verdict }) =>
        verdict === 'met' ? [] : [`${name}, ${turn}`],
      ),
    );

  test.each(tried(TEMPLATES.map((template) => [template.id, template] as const)))(
    '%s: twenty tests pass offline, twice byte for byte',
    async (id, template) => {
      const assistantId = await create(template);
      const first = await run(assistantId, id);
      expect(wrong(first)).toEqual([]);
      expect(first.summary).toMatchObject({ tests: 20, passed: 20 });
      const second = await run(assistantId, id);
      expect(JSON.stringify(second.results)).toBe(JSON.stringify(first.results));
    },
    2 * RUN_MS,
  );

  test.each(tried(BREAKS))(
    '$template with $broken fails there, and nowhere else',
    async ({ template: id, change, fails }) => {
      const template = TEMPLATES.find((it) => it.id === id) as AssistantTemplate;
      const assistantId = await create(change(template), { ...OWN, assistantSystemPrompt: '' });
      const broken = await run(assistantId, id);
      expect([...new Set(places(broken))]).toEqual(fails);
      expect(broken.summary).toMatchObject({ broken: 0, notJudged: 0, notRun: 0 });
    },
    2 * RUN_MS,
  );
});
