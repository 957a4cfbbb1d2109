/** The header of a name and a password, which may have any characters: as UTF-8 (RFC 7617, section 2.1). */
export function basicAuthorization(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}
