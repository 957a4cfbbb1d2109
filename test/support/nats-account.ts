import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

const base64 = (value: object | Uint8Array) =>
  (value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(JSON.stringify(value))).toString(
    'base64url',
  );

/** A claim of NATS about a key, signed by another. */
function claim(subject: KeyPair, issuer: KeyPair, type: string): string {
  const signed = `${base64({ typ: 'JWT', alg: 'ed25519-nkey' })}.${base64({
    jti: type,
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    name: type,
    sub: subject.getPublicKey(),
    nats: {
      type,
      version: 2,
      ...(type === 'account'
        ? {
            limits: {
              subs: -1,
              data: -1,
              payload: -1,
              imports: -1,
              exports: -1,
              conn: -1,
              leaf: -1,
            },
          }
        : {}),
      ...(type === 'user' ? { subs: -1, data: -1, payload: -1 } : {}),
    },
  })}`;
  return `${signed}.${base64(issuer.sign(Buffer.from(signed)))}`;
}

/** An account of a NATS server with an operator, and the credentials of a user of it, as its own tools write them. */
export function natsAccount(): { readonly config: string; readonly credentials: string } {
  const [operator, account, user] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createUser(),
  ];
  const config = `operator: ${claim(operator, operator, 'operator')}
resolver: MEMORY
resolver_preload: { ${account.getPublicKey()}: ${claim(account, operator, 'account')} }`;
  const credentials = `-----BEGIN NATS USER JWT-----
${claim(user, account, 'user')}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${Buffer.from(user.getSeed()).toString()}
------END USER NKEY SEED------
`;
  return { config, credentials };
}
