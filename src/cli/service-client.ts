import type {
  AssistantInput,
  Call,
  ConnectedCall,
  Judgement,
  JudgementInput,
  ModelEstimate,
  NewFaq,
  TestCheck,
  TestRun,
  TestRunInput,
  ToolInput,
  WhatIf,
  WhatIfCallsInput,
  WhatIfChange,
  WhatIfInput,
  WhatIfTable,
} from '../client/api.generated.ts';
import { ApiError } from '../client/api-error.ts';
import { Client } from '../client/client.ts';
import type { CarrierName } from '../ports/carrier.ts';
import { CliError } from './cli-error.ts';

const TIMEOUT_MS = 15_000;
const PATIENT_TIMEOUT_MS = 120_000;

const IMPORTS = {
  twilio: 'importTwilioNumber',
  telnyx: 'importTelnyxNumber',
  asterisk: 'importAsteriskNumber',
  emulator: 'importEmulatorNumber',
} as const satisfies Record<CarrierName, string>;

/** The REST operations that the commands use. File contents are passed on unchecked: the service validates them. */
export class ServiceClient {
  readonly url: string;
  readonly #client: Client;
  /** Many calls, and models, take longer. */
  readonly #patient: Client;

  constructor(url: string, key: string) {
    this.url = url;
    this.#client = new Client({ baseUrl: url, apiKey: key, timeoutMs: TIMEOUT_MS });
    this.#patient = new Client({ baseUrl: url, apiKey: key, timeoutMs: PATIENT_TIMEOUT_MS });
  }

  listAssistants(): Promise<readonly { readonly _id: string; readonly name: string }[]> {
    return this.#try(this.#client.call('listAssistants'));
  }

  getAssistant(id: string): Promise<{ readonly _id: string; readonly name: string }> {
    return this.#try(this.#client.call('getAssistant', { path: { id } }));
  }

  createAssistant(config: object): Promise<{ readonly _id: string; readonly name: string }> {
    return this.#try(this.#client.call('createAssistant', { body: config as AssistantInput }));
  }

  async deleteAssistant(id: string): Promise<void> {
    await this.#try(this.#client.call('deleteAssistant', { path: { id } }));
  }

  createTool(tool: unknown): Promise<{ readonly _id: string }> {
    return this.#try(this.#client.call('createTool', { body: tool as ToolInput }));
  }

  async deleteTool(id: string): Promise<void> {
    await this.#try(this.#client.call('deleteTool', { path: { id } }));
  }

  checkTests(source: string): Promise<TestCheck> {
    return this.#try(this.#client.call('checkTests', { body: { source } }));
  }

  startTestRun(input: TestRunInput): Promise<TestRun> {
    return this.#try(this.#client.call('startTestRun', { body: input }));
  }

  getTestRun(id: string): Promise<TestRun> {
    return this.#try(this.#client.call('getTestRun', { path: { id } }));
  }

  async getCallAsTest(id: string): Promise<string> {
    return (await this.#try(this.#client.call('getCallAsTest', { path: { id } }))).source;
  }

  judgeCall(input: JudgementInput): Promise<Judgement> {
    return this.#try(this.#patient.call('judgeCall', { body: input }));
  }

  createKnowledgeBase(title: string): Promise<{ readonly id: string }> {
    return this.#try(this.#client.call('createKnowledgeBase', { body: { title } }));
  }

  async addFaq(id: string, entries: readonly unknown[]): Promise<void> {
    const faq = entries as NewFaq['faq'];
    await this.#try(this.#client.call('addFaq', { path: { id }, body: { faq } }));
  }

  async deleteKnowledgeBase(id: string): Promise<void> {
    await this.#try(this.#client.call('deleteKnowledgeBase', { path: { id } }));
  }

  connect(
    assistantId: string,
    metadata?: Readonly<Record<string, string>>,
  ): Promise<ConnectedCall> {
    const told = metadata ? { metadata } : {};
    const body = { direction: 'inbound', assistantId, ...told } as const;
    return this.#try(this.#client.call('connectCall', { body }));
  }

  /** Starts a web call of an assistant that is not stored. */
  connectInline(
    config: object,
    metadata: Readonly<Record<string, string>>,
  ): Promise<ConnectedCall> {
    const assistant = config as AssistantInput;
    const body = { direction: 'inbound', assistant, metadata } as const;
    return this.#try(this.#client.call('connectCall', { body }));
  }

  /** Calls a number from one of the service's own numbers. */
  dial(phoneNumberId: string, number: string): Promise<ConnectedCall> {
    const body = { direction: 'outbound', phoneNumberId, customer: { number } } as const;
    return this.#try(this.#client.call('connectCall', { body }));
  }

  /** Imports a number of a carrier, replacing one the service already has; resolves with its id. */
  async importNumber(
    carrier: CarrierName,
    number: { readonly number: string; readonly credentials: unknown },
  ): Promise<string> {
    const known = await this.#try(this.#client.call('listNumbers'));
    const former = known.find((candidate) => candidate.number === number.number);
    if (former) await this.#try(this.#client.call('deleteNumber', { path: { id: former._id } }));
    const operation = IMPORTS[carrier];
    const { _id } = await this.#try(this.#client.call(operation, { body: number as never }));
    return _id;
  }

  async deleteNumber(id: string): Promise<void> {
    await this.#try(this.#client.call('deleteNumber', { path: { id } }));
  }

  /** Creates a phone at the service's built-in carrier; without a number it is given one. */
  createHandset(number?: string): Promise<{ readonly url: string; readonly number: string }> {
    const body = number === undefined ? {} : { number };
    return this.#try(this.#client.call('createHandset', { body }));
  }

  async attachNumber(id: string, assistantId: string): Promise<void> {
    await this.#try(this.#client.call('updateNumber', { path: { id }, body: { assistantId } }));
  }

  /** Id of the latest call with this number. */
  async findCall(userNumber: string): Promise<string | undefined> {
    const query = { userNumber, size: 1 } as const;
    const page = await this.#try(this.#client.call('listCalls', { query }));
    return page.conversations[0]?.id;
  }

  getCall(id: string): Promise<Call> {
    return this.#try(this.#client.call('getCall', { path: { id } }));
  }

  async getTranscript(id: string): Promise<string> {
    const request = { path: { id }, query: { format: 'text' } } as const;
    return (await this.#try(this.#client.open('getCallTranscript', request))).text();
  }

  async getEvents(id: string): Promise<string> {
    return (await this.#try(this.#client.open('getCallEvents', { path: { id } }))).text();
  }

  estimateReplay(id: string, change: WhatIfChange): Promise<ModelEstimate> {
    return this.#try(this.#patient.call('estimateReplay', { path: { id }, body: change }));
  }

  replayCall(id: string, change: WhatIfInput): Promise<WhatIf> {
    return this.#try(this.#patient.call('replayCall', { path: { id }, body: change }));
  }

  replayCalls(change: WhatIfCallsInput): Promise<WhatIfTable> {
    return this.#try(this.#patient.call('replayCalls', { body: change }));
  }

  /** The event log as it was before redaction; undefined if no such is kept, or the key may not read it. */
  async findOriginals(id: string): Promise<string | undefined> {
    try {
      return (await this.#client.open('getCallOriginals', { path: { id } })).text();
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 403))
        return undefined;
      return this.#try(Promise.reject(error));
    }
  }

  async getRecording(id: string): Promise<Uint8Array> {
    const answer = await this.#try(this.#client.open('getCallRecording', { path: { id } }));
    return new Uint8Array(await answer.arrayBuffer());
  }

  async #try<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof ApiError)
        throw new CliError(`${this.url}: ${error.status} ${error.message}`, 1, { cause: error });
      const { name, cause, message } = error as Error;
      if (name === 'TimeoutError') throw new CliError(`${this.url} did not answer in time`);
      const reason = cause instanceof Error ? cause.message : message;
      throw new CliError(`${this.url} cannot be reached: ${reason}`);
    }
  }
}
