/** The server refused the name, the password, the token or the credentials. */
export class BusRefusedError extends Error {
  override readonly name = 'BusRefusedError';
}
