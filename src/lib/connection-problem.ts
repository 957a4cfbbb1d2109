const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};
/** Ways in which OpenSSL says that no trusted authority stands behind a certificate. */
const UNTRUSTED =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT\w*))$/;
const NO_TLS = /^(?:EPROTO|ERR_SSL_\w+)$/;
const SYSTEM = /^E[A-Z]+$/;

/** Why a connection failed, by the code of the error or of its causes; undefined: no code says it. */
export function connectionProblem(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? String(at.code) : '';
    const problem = problemOf(code);
    if (problem) return problem;
  }
  return undefined;
}

function problemOf(code: string): string | undefined {
  if (CERTIFICATE_PROBLEMS[code]) return CERTIFICATE_PROBLEMS[code];
  if (UNTRUSTED.test(code)) return 'its certificate was issued by an authority that is not trusted';
  if (NO_TLS.test(code)) return `it does not speak TLS as it should (${code})`;
  return SYSTEM.test(code) ? code : undefined;
}
