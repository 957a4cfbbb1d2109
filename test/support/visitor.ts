import type { FastifyInstance } from 'fastify';
import { type Answer, createClient, type TestClient } from './api.ts';

const CONSOLE = { 'x-parley-console': '1' };

/** A browser: keeps the cookies that it is given, and sends what the console's pages send. */
export class Visitor {
  readonly #client: TestClient;
  readonly cookies = new Map<string, string>();

  constructor(app: FastifyInstance) {
    this.#client = createClient(app, { key: '', teamId: '' });
  }

  async send(
    method: string,
    url: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = CONSOLE,
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { ...headers, ...(cookie === '' ? {} : { cookie }) };
    const answer = await this.#client.send(method, url, { body, headers: sent });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.#keep(line);
    return answer;
  }

  get(url: string): Promise<Answer> {
    return this.send('GET', url);
  }

  post(url: string, body?: unknown): Promise<Answer> {
    return this.send('POST', url, body);
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

export const PASSWORD = 'a good long password';

/** Invites somebody through an admin's client, and lets them accept. */
export async function join(
  app: FastifyInstance,
  admin: Pick<TestClient, 'post'>,
  person: { readonly email: string; readonly role: string },
): Promise<Visitor> {
  const { body } = await admin.post('/auth/v1/invitations', person);
  const visitor = new Visitor(app);
  const [name] = person.email.split('@');
  const acceptance = { token: tokenIn(body.url), name, password: PASSWORD };
  const { status, text } = await visitor.post('/auth/v1/sign-in/accept', acceptance);
  if (status !== 200) throw new Error(text);
  return visitor;
}

/** The token in the link of an invitation. */
export const tokenIn = (url: string): string => url.split('token=')[1] as string;
