import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { startChatEmulator } from '../support/chat-completions-emulator.ts';
import type { ScriptedReply } from '../support/chat-completions-script.ts';
import { rowsOf } from '../support/effort.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import { sharedService } from '../support/shared-service.ts';

let service: Awaited<ReturnType<typeof sharedService>>;
let knowledgeBaseIds: readonly string[];

beforeAll(async () => {
  service = await sharedService();
  const [sample] = await service.json<readonly { assistantKnowledgeBaseIds: string[] }[]>(
    '/assistants/v1/assistants',
  );
  knowledgeBaseIds = sample?.assistantKnowledgeBaseIds ?? [];
});

afterAll(() => service[Symbol.asyncDispose]());

/** Asks by keypad, which does not depend on a recogniser, an assistant whose model is at this URL. */
async function ask(baseUrl: string): Promise<ServiceCall> {
  const call = await dial(service, {
    assistant: {
      name: 'Faulty',
      assistantProvider: 'custom-llm',
      assistantLLMUrl: baseUrl,
      welcomeMessageMode: 'assistant-waits-for-user',
      assistantPredefinedTools: { knowledgeBase: true },
      assistantKnowledgeBaseIds: knowledgeBaseIds,
      dtmfInputEnabled: true,
    },
  });
  for (const key of '1#') call.caller.dtmf(key);
  return call;
}

async function journal(id: string): Promise<readonly JournalLine[]> {
  const response = await fetch(`${service.url}/calls/v1/conversations/${id}/events`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as JournalLine);
}

interface Fault {
  readonly name: string;
  readonly reply: ScriptedReply | undefined;
  readonly code: RegExp;
}

const faults = rowsOf<Fault, Fault>({
  usual: [{ name: 'is down', reply: undefined, code: /./ }],
  long: [
    { name: 'stalls mid-stream', reply: { deltas: [''], fault: 'hang', faultAfter: 1 }, code: /./ },
    { name: 'answers garbage', reply: { raw: '<html>not a model</html>' }, code: /./ },
    {
      name: 'redirects to a private address',
      reply: { status: 307, headers: { location: 'http://169.254.169.254/latest' }, body: '' },
      code: /redirect/,
    },
  ],
});

describe.concurrent('a model server that', () => {
  for (const { name, reply, code } of faults) {
    test(`${name}: the caller hears an apology, the call goes on, the record says why`, async ({
      expect,
    }) => {
      await using emulator = await startChatEmulator();
      if (reply) emulator.script(reply);
      const call = await ask(reply ? emulator.baseUrl : 'http://127.0.0.1:9/v1');
      try {
        // The assistant may have apologised for a slow model before.
        await expect.poll(() => call.said.at(-1)).toMatch(/^assistant.*sorry/i);
        const live = await service.json<Call>(`/calls/v1/conversations/${call.id}`);
        expect({ status: live.status, endReason: live.endReason }).toEqual({ status: 'ongoing' });
        call.caller.hangup();
        await call.caller.ended;
        // The last lines are written when the call closes, a moment after the caller has hung up.
        const errors = async () =>
          (await journal(call.id)).filter(
            ({ kind, type, data }) =>
              kind === 'command' && type === 'webhook' && data.kind === 'error',
          );
        await expect.poll(errors).not.toEqual([]);
        expect(JSON.stringify(await errors())).toMatch(code);
      } finally {
        call.caller.close();
      }
    });
  }
});
