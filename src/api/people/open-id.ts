import { Problem } from '../../contract/errors.ts';

type Library = typeof import('openid-client');
type Configuration = import('openid-client').Configuration;

/** Where people sign in, other than here. */
export interface OpenIdAccess {
  /** As the page for signing in names it. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

/** What one attempt has to remember between leaving for the provider and coming back. */
export interface OpenIdFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The provider is to ask for credentials anew, whoever is signed in there. */
  readonly fresh?: boolean | undefined;
}

/** Somebody as the provider vouches for them. */
export interface OpenIdClaims {
  readonly issuer: string;
  readonly subject: string;
  /** Present only if the provider has verified it. */
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

/** A provider of OpenID Connect: the authorization code flow with PKCE, state and nonce. */
export interface OpenIdProvider {
  readonly name: string;
  /** Address at the provider for an attempt. Throws Problem if the provider cannot be reached. */
  begin(
    redirectUri: string,
    options?: Pick<OpenIdFlow, 'fresh'>,
  ): Promise<{ readonly url: string; readonly flow: OpenIdFlow }>;
  /** Checks what the browser came back with; `address`: the redirect URI with its query. Throws Problem. */
  finish(address: URL, flow: OpenIdFlow): Promise<OpenIdClaims>;
}

/** Deadline of each request to the provider. */
const TIMEOUT_SECONDS = 10;
/** For so long what the provider says of itself is believed. */
const BELIEVED_MS = 3600_000;

/** So recently somebody must have given their credentials where a fresh proof is asked for. */
const FRESH_SECONDS = 300;

const SCOPE = 'openid email profile';

/** `steady`: monotonic, ms. */
export function openIdProvider(access: OpenIdAccess, steady: () => number): OpenIdProvider {
  let known: { readonly at: number; readonly server: Promise<Server> } | undefined;

  const reach = async (): Promise<Server> => {
    const now = steady();
    if (!known || now - known.at > BELIEVED_MS) {
      const server = discover(access);
      known = { at: now, server };
      server.catch(() => {
        if (known?.server === server) known = undefined;
      });
    }
    try {
      return await known.server;
    } catch (cause) {
      throw new Problem({
        kind: 'vendor',
        message: `${access.name} cannot be reached to sign in there`,
        cause,
      });
    }
  };

  return {
    name: access.name,

    async begin(redirectUri, { fresh = false } = {}) {
      const { library, config } = await reach();
      const flow = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
        ...(fresh ? { fresh } : {}),
      };
      const url = library.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
        ...(fresh ? { prompt: 'login', max_age: String(FRESH_SECONDS) } : {}),
      });
      return { url: url.href, flow };
    },

    async finish(address, { state, nonce, verifier, fresh = false }) {
      const { library, config } = await reach();
      try {
        const tokens = await library.authorizationCodeGrant(config, address, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          // Checks when the provider asked last.
          ...(fresh ? { maxAge: FRESH_SECONDS } : {}),
        });
        const inToken = tokens.claims();
        if (!inToken) throw new Error('the provider sent no ID token');
        // Some providers put the address into the ID token, others only where it is asked for.
        const { sub, iss } = inToken;
        const claims =
          inToken.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
            ? await library.fetchUserInfo(config, tokens.access_token, sub)
            : inToken;
        const { email, email_verified: isVerified, name } = claims;
        return {
          issuer: iss,
          subject: sub,
          ...(typeof email === 'string' && isVerified === true ? { email } : {}),
          ...(typeof name === 'string' ? { name } : {}),
        };
      } catch (cause) {
        throw new Problem({
          kind: 'unauthorized',
          message: 'The sign-in was not confirmed',
          cause,
        });
      }
    },
  };
}

interface Server {
  readonly library: Library;
  readonly config: Configuration;
}

async function discover(access: OpenIdAccess): Promise<Server> {
  // Loaded at the first attempt, since most services have no provider.
  const library = await import('openid-client');
  const { issuer, clientId, clientSecret } = access;
  const authentication =
    clientSecret === undefined ? library.None() : library.ClientSecretBasic(clientSecret);
  const config = await library.discovery(new URL(issuer), clientId, undefined, authentication, {
    timeout: TIMEOUT_SECONDS,
    // A provider on the same machine or network may be without TLS; whoever configures its address decides.
    execute: issuer.startsWith('http:') ? [library.allowInsecureRequests] : [],
  });
  return { library, config };
}
