import type { ConsoleService } from './console-service.ts';
import { ServiceApi } from './service-process.ts';
import { toolConfig } from './tool-config.ts';

const API = '/assistants/v1';
const TESTS = `tests:
  - name: Greets callers
    turns:
      - say: Hello
    expect:
      - matches: .
  - name: Knows the garage
    turns:
      - say: Where can I park?
        expect:
          - contains: garage
`;

/** Identifiers of what the pages show. */
export interface Furnished {
  readonly numberId: string;
  readonly toolId: string;
  readonly serverToolId: string;
  readonly calendarId: string;
  readonly waitListId: string;
  readonly suiteId: string;
}

interface Row {
  readonly _id: string;
}

/** Gives the team something for every page of the console to show; `mcpUrl`: a server of tools. */
export async function furnish(
  host: ConsoleService,
  { assistantId, mcpUrl }: { readonly assistantId: string; readonly mcpUrl: string },
): Promise<Furnished> {
  const make = async (path: string, body: object) => (await host.create<Row>(API + path, body))._id;
  const numberId = await make('/numbers/emulator', {
    number: '+15005550123',
    label: 'Museum desk',
  });
  await host.service.json(`${API}/numbers/${numberId}`, { method: 'PUT', body: { assistantId } });
  const toolId = await make('/tools', toolConfig('https://example.com/book', { name: 'bookTour' }));
  const serverToolId = await make('/tools', {
    type: 'mcp',
    function: { name: 'restaurant' },
    server: { url: mcpUrl },
  });
  await host.create(`${API}/assistants/${assistantId}/versions`, {
    changes: { welcomeMessage: 'Good day, this is the museum.' },
  });
  await host.create('/auth/v1/public-keys', {
    name: 'Museum site',
    assistantId,
    origins: ['https://museum.example'],
    demo: true,
  });
  return {
    ...{ numberId, toolId, serverToolId },
    calendarId: await bookedCalendar(host),
    waitListId: await waitedFor(host),
    suiteId: await testedSuite(host, assistantId),
  };
}

async function bookedCalendar(host: ConsoleService): Promise<string> {
  const path = `${API}/calendars`;
  const { _id } = await host.create<Row>(path, { name: 'Guided tours', timezone: 'Europe/Berlin' });
  const slots = await host.service.json<{ startAt: string }[]>(`${path}/${_id}/slots`);
  for (const [index, name] of ['Ada', 'Grace', 'Edith'].entries())
    await host.create(`${path}/${_id}/appointments`, {
      startAt: slots[index * 5]?.startAt,
      name,
      phone: `+4930123456${index}`,
    });
  return _id;
}

async function waitedFor(host: ConsoleService): Promise<string> {
  const { _id } = await host.create<Row>(`${API}/wait-lists`, { name: 'Night of the museums' });
  for (const [index, name] of ['Ada', 'Grace'].entries())
    await host.create(`${API}/wait-lists/${_id}/entries`, { name, phone: `+4930765432${index}` });
  return _id;
}

/** Tests of which one has passed and one failed. */
async function testedSuite(host: ConsoleService, assistantId: string): Promise<string> {
  const suite = { title: 'Museum desk', assistantId, source: TESTS };
  const { id: suiteId } = await host.create<{ id: string }>('/tests/v1/suites', suite);
  const { id } = await host.create<{ id: string }>('/tests/v1/runs', { suiteId });
  const deadline = performance.now() + 60_000;
  const status = async () =>
    (await host.service.json<{ status: string }>(`/tests/v1/runs/${id}`)).status;
  while ((await status()) !== 'finished') {
    if (performance.now() > deadline) throw new Error('the tests did not finish');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return suiteId;
}

/** Teams for the operator's page: one with limits, one suspended. */
export async function furnishOperator(serviceUrl: string, operatorKey: string): Promise<void> {
  const operator = new ServiceApi(serviceUrl, operatorKey);
  const path = '/admin/v1/teams';
  const create = (body: object) => operator.json<{ id: string }>(path, { method: 'POST', body });
  await create({ name: 'Clinic', limits: { liveCalls: 5, minutesPerMonth: 3000 } });
  const { id } = await create({ name: 'Hotel Boreal' });
  const body = { reason: 'The invoice of May is open.' };
  await operator.json(`${path}/${id}/suspend`, { method: 'POST', body });
}
