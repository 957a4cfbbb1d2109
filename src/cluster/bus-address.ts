/** How a NATS server is reached: `BUS_URL`, one address or several of one cluster after commas. */
export interface BusAddress {
  /** host:port of each. */
  readonly servers: readonly string[];
  readonly tls: boolean;
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
}

const PORT = '4222';

/** The name and password, or the token, stand in the first address. Expects what the configuration has accepted. */
export function readBusAddress(text: string): BusAddress {
  const urls = text.split(',').map((one) => new URL(one.trim()));
  const { username = '', password = '' } = urls[0] ?? {};
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || PORT}`),
    tls: urls.some(({ protocol }) => protocol === 'tls:'),
    ...(user && pass ? { user, pass } : {}),
    ...(user && !pass ? { token: user } : {}),
  };
}
