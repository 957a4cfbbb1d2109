import { sql } from 'drizzle-orm';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { CalendarConfigSchema } from '../../src/contract/calendar.ts';
import { PublicKeyConfigSchema } from '../../src/contract/public-key.ts';
import { TestSuiteConfigSchema } from '../../src/contract/test-suite.ts';
import { WaitListConfigSchema } from '../../src/contract/wait-list.ts';
import { createApiKey } from '../../src/store/api-keys.ts';
import { insertAppointment } from '../../src/store/appointments.ts';
import { createAssistant } from '../../src/store/assistants.ts';
import { appendAudit } from '../../src/store/audit.ts';
import { createCalendar } from '../../src/store/calendars.ts';
import type { Db } from '../../src/store/db.ts';
import { insertFaqEntries } from '../../src/store/faq-entries.ts';
import { createInvitation } from '../../src/store/invitations.ts';
import { createKnowledgeBase } from '../../src/store/knowledge-bases.ts';
import { upsertMessages } from '../../src/store/messages.ts';
import { createNumber } from '../../src/store/numbers.ts';
import { insertPerson } from '../../src/store/people.ts';
import { createPublicKey } from '../../src/store/public-keys.ts';
import { createTestSuite } from '../../src/store/test-suites.ts';
import { createTool } from '../../src/store/tools.ts';
import { addToWaitList } from '../../src/store/wait-list-entries.ts';
import { createWaitList } from '../../src/store/wait-lists.ts';
import { vendors } from '../contract/vendors.ts';
import { insertManyCalls } from './many-calls.ts';
import { toolConfig } from './tool-config.ts';

/** How much a team has. */
interface TeamSize {
  readonly calls: number;
  readonly live: number;
  readonly assistants: number;
  /** Of everything else that is listed. */
  readonly others: number;
}

/** Something of each kind, for the pages that show one. */
export interface LargeTeam {
  readonly assistantId: string;
  readonly toolId: string;
  readonly knowledgeBaseId: string;
  readonly numberId: string;
  readonly calendarId: string;
  readonly waitListId: string;
  readonly callId: string;
  readonly testSuiteId: string;
}

const PROMPT = `You answer the telephone of a practice in Berlin. Greet the caller, ask for the reason of the call, and help
with opening hours, appointments, prescriptions and referrals. Say numbers digit by digit. Never give medical advice: in an
emergency tell the caller to dial 112 at once. Ask for the date of birth before anything of a patient is told. Answer in one
or two short sentences, as people speak, and end with a question where something is missing.`;

/** Fills a team with as much as a busy one has, each thing of a usual size. */
export async function fillTeam(db: Db, teamId: string, size: TeamSize): Promise<LargeTeam> {
  const nth = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const each = async <Made>(count: number, make: (n: number) => Promise<Made>) => {
    const made: Made[] = [];
    for (const n of nth(count)) made.push(await make(n));
    return made;
  };
  const first = <Made>(made: readonly Made[]): Made => made[0] as Made;

  const tools = await each(size.others, (n) =>
    createTool(db, {
      teamId,
      config: toolConfig(`https://practice-${n}.example/appointments`, { name: `bookDesk${n}` }),
    }),
  );
  const bases = await each(size.others, (n) =>
    createKnowledgeBase(db, { teamId, title: `Handbook ${n}`, description: 'What callers ask.' }),
  );
  const knowledgeBaseId = first(bases).id;
  await insertFaqEntries(db, {
    ...{ teamId, knowledgeBaseId },
    entries: nth(size.others).map((n) => ({
      question: `When is desk ${n} open?`,
      answer: `Desk ${n} is open on weekdays from nine to five.`,
      category: '',
    })),
  });
  const schema = assistantConfigSchema(vendors);
  const assistants = await each(size.assistants, (n) =>
    createAssistant(db, {
      teamId,
      config: schema.parse({
        name: `Desk ${n}`,
        welcomeMessage: `Good morning, this is desk ${n}.`,
        assistantSystemPrompt: `${PROMPT}\nYou are desk ${n}.\n${PROMPT}`,
        assistantToolIds: nth(3).map((by) => tools[(n + by) % tools.length]?.id),
        assistantPredefinedTools: { knowledgeBase: true },
        assistantKnowledgeBaseIds: [bases[n % bases.length]?.id],
      }),
    }),
  );
  const assistantIds = assistants.map(({ id }) => id);
  const numbers = await each(size.others, (n) =>
    createNumber(db, {
      ...{ teamId, provider: 'emulator', label: `Line ${n}` },
      number: `+1500555${String(n).padStart(4, '0')}`,
    }),
  );
  await db.execute(sql`
    update numbers set assistant_id = (${sql.param(assistantIds)}::text[])[1 + substr(number, 5)::bigint % ${size.assistants}]
    where team_id = ${teamId}`);

  const bookable = { teamId };
  const calendars = await each(size.others, (n) =>
    createCalendar(db, { ...bookable, config: CalendarConfigSchema.parse({ name: `Room ${n}` }) }),
  );
  const waitLists = await each(size.others, (n) =>
    createWaitList(db, { ...bookable, config: WaitListConfigSchema.parse({ name: `Queue ${n}` }) }),
  );
  const [calendarId, waitListId] = [first(calendars).id, first(waitLists).id];
  const booked = { phone: '+493012345', notes: 'First visit', callId: null, requestKey: null };
  const tomorrow = Date.now() + 86_400_000;
  await each(size.others, (n) =>
    insertAppointment(db, {
      ...{ ...booked, calendarId, name: `Patient ${n}` },
      startAt: new Date(tomorrow + n * 1_800_000),
      endAt: new Date(tomorrow + (n + 1) * 1_800_000),
    }),
  );
  await each(size.others, (n) =>
    addToWaitList(db, {
      ...{ ...booked, teamId, waitListId, name: `Patient ${n}`, maxEntries: 100_000 },
    }),
  );
  const suites = await each(size.others, (n) =>
    createTestSuite(db, {
      ...{ teamId, tests: 1, callIds: [] },
      config: TestSuiteConfigSchema.parse({
        title: `Conversations of desk ${n}`,
        source: 'tests:\n  - name: Hours\n    turns:\n      - user: When are you open?\n',
        assistantId: assistantIds[n % size.assistants],
      }),
    }),
  );
  await each(size.others, (n) =>
    createPublicKey(db, {
      teamId,
      config: PublicKeyConfigSchema.parse({
        ...{ name: `Site ${n}`, demo: true },
        assistantId: assistantIds[n % size.assistants],
      }),
    }),
  );
  await each(size.others, (n) => createApiKey(db, { teamId, name: `Program ${n}` }));
  await each(size.others, (n) =>
    insertPerson(db, {
      ...{ id: `person-${teamId}-${String(n).padStart(6, '0')}`, teamId, role: 'viewer' },
      ...{ email: `person-${n}@${teamId}.example`, name: `Person ${n}`, createdAt: new Date() },
    }),
  );
  await each(size.others, (n) =>
    createInvitation(db, {
      ...{ teamId, email: `guest-${n}@${teamId}.example`, role: 'viewer', now: new Date() },
    }),
  );
  await appendAudit(
    db,
    nth(size.others * 5).map((n) => ({
      ...{ chain: teamId, at: new Date(), outcome: 'done', address: '203.0.113.7' },
      actor: { type: 'person', id: `person-${n % 20}`, name: `Person ${n % 20}` },
      ...{ action: 'getConversation', subject: `CC-${n}` },
    })),
  );

  const everyMs = 60_000;
  const params = { teamId, assistantIds, everyMs };
  await insertManyCalls(db, {
    ...{ ...params, calls: size.calls },
    lastAt: new Date(Date.now() - 3_600_000),
  });
  await insertManyCalls(db, {
    ...{ ...params, calls: size.live, lastAt: new Date(), everyMs: 1000 },
    live: true,
  });
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from calls where team_id = ${teamId} and end_at is not null order by start_at desc limit 1`,
  );
  const callId = (rows[0] as { id: string }).id;
  await upsertMessages(db, {
    ...{ teamId, callId },
    messages: nth(40).map((n) => ({
      ...{ messageId: `m${n}`, role: n % 2 ? 'assistant' : 'user', at: n * 2000 },
      text: n % 2 ? 'We are open from nine to five. What else may I do for you?' : 'And Saturday?',
    })) as never,
  });
  await db.execute(sql`analyze`);
  return {
    ...{ calendarId, waitListId, knowledgeBaseId, callId },
    testSuiteId: first(suites).id,
    assistantId: first(assistants).id,
    toolId: first(tools).id,
    numberId: first(numbers).id,
  };
}
