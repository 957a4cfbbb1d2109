import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** Somebody whom the provider knows. */
export interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

const CLIENT_ID = 'parley';
const CLIENT_SECRET = 'a secret of the client';

/** A provider of OpenID Connect on a port of its own, at which everybody signs in as the account that is set. */
export class TestOpenIdProvider {
  account: Account = { sub: 'nobody' };
  readonly #server: Server;
  readonly issuer: string;

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(redirectUri: string): Promise<TestOpenIdProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const self = new TestOpenIdProvider(server);
    const provider = self.#configure(redirectUri);
    const answer = provider.callback();
    server.on('request', (request, response) => {
      if (!request.url?.startsWith('/interaction/')) {
        void answer(request, response);
        return;
      }
      void self.#interact(provider, request, response);
    });
    return self;
  }

  get access() {
    return {
      ...{ name: 'Example', issuer: this.issuer },
      ...{ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    };
  }

  /** What a browser does there: follows redirects, with cookies, until it is sent back. */
  async visit(url: string): Promise<URL> {
    const cookies = new Map<string, string>();
    for (let at = new URL(url); ; ) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
      at = new URL(location, at);
      if (at.origin !== this.issuer) return at;
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #configure(redirectUri: string): Provider {
    return new Provider(this.issuer, {
      clients: [
        {
          ...{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
          redirect_uris: [redirectUri],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['a key of the tests'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      // Named, since the provider remarks upon each that is not.
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      pkce: { required: () => true },
      findAccount: (_context: unknown, sub: string) => {
        const claims = { ...this.account, sub };
        return { accountId: sub, claims: () => claims };
      },
    });
  }

  async #interact(
    provider: Provider,
    ...http: Parameters<ReturnType<Provider['callback']>>
  ): Promise<void> {
    const { prompt, params, session, grantId } = await provider.interactionDetails(...http);
    if (prompt.name === 'login') {
      await provider.interactionFinished(...http, { login: { accountId: this.account.sub } });
      return;
    }
    const accountId = session?.accountId;
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId, clientId: String(params.client_id) });
    grant?.addOIDCScope('openid email profile');
    const id = await grant?.save();
    await provider.interactionFinished(...http, { consent: { grantId: id } });
  }
}
